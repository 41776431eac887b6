// Elements, made in one line. Text is always text: no name in a capture is ever parsed as HTML.

type Attributes = Record<string, string | number | boolean | null>;
type Child = Node | string | null;

const GAP_TO_HEAD = 8;

/** An element with attributes (null and false leave one out, true sets it empty) and children. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
}

function append(element: Element, children: Child[]): void {
  for (const child of children) if (child !== null) element.append(child);
}

/** How far down in an element something must stand, in pixels, not to lie under the page's head, which stays in sight. */
export function clearOfHead(element: Element, wanted: number): number {
  const head = document.querySelector('header.controls')?.getBoundingClientRect().bottom ?? 0;
  return Math.max(wanted, head + GAP_TO_HEAD - element.getBoundingClientRect().top);
}

/** Gives an element the keyboard, and brings it into sight. */
export function focusOn(element: HTMLElement): void {
  element.focus();
  element.scrollIntoView({ block: 'nearest' });
}

/** Calls `draw` when the element's size becomes known or changes, never at height or width 0, at most once a frame. */
export function onResize(element: Element, draw: (width: number, height: number) => void): () => void {
  let frame = 0;
  const observer = new ResizeObserver((entries) => {
    const box = entries[entries.length - 1]!.contentRect;
    if (box.width === 0 || box.height === 0) return;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => draw(box.width, box.height));
  });
  observer.observe(element);
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
  };
}
