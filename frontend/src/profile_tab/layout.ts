// The position of the frame with our page: over the content of the Profile tab, clear of its side bar. Moves nothing.

export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The element that holds the tool's content: the frame covers it. */
export function contentArea(viewer: Element): Element {
  return viewer.closest('mat-sidenav-content') ?? viewer.parentElement ?? viewer;
}

/** The side bars that lie beside or over an area; those inside XProf's own viewer are its own matter. */
export function sideBars(document: Document): Element[] {
  return [...document.querySelectorAll('mat-sidenav, mat-drawer')].filter(
    (bar) => bar.closest('memory-viewer') === null,
  );
}

/** The part of `content` that no side bar covers. A side bar is taken to come in from the left. */
export function clearOf(content: Area, bars: readonly Area[]): Area {
  let left = content.left;
  for (const bar of bars) {
    const overlaps =
      bar.right > bar.left && bar.bottom > content.top && bar.top < content.bottom && bar.left <= content.left;
    if (overlaps) left = Math.max(left, bar.right);
  }
  return { ...content, left: Math.min(left, content.right) };
}

/** The part of an element that can be seen in the window. */
export function visibleArea(element: Element, width: number, height: number): Area {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return {
    left: Math.max(0, left),
    top: Math.max(0, top),
    right: Math.min(width, right),
    bottom: Math.min(height, bottom),
  };
}
