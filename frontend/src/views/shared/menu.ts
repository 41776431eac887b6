// Common behavior of menus: they close when the focus leaves them, and on Escape, which returns it to the button.

export function closeWhenLeft(menu: HTMLDetailsElement): void {
  menu.addEventListener('focusout', (event) => {
    if (!(event.relatedTarget instanceof Node) || !menu.contains(event.relatedTarget)) menu.open = false;
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
    event.stopPropagation();
  });
}
