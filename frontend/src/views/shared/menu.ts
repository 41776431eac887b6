// What every menu does: it closes when the focus leaves it, and on Escape, which then goes back to its button.

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
