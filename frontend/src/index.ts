// The module that TensorBoard imports into the tab's frame. Leaves its entry document for our own page, whose policy is ours.

export function render(): void {
  const page = new URL('page.html', import.meta.url);
  page.hash = document.location.hash;
  document.location.replace(page.href);
}
