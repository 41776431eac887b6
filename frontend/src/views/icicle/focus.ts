// Moves the focus among the cells of the icicle, which lie in levels, with arrow keys.

/** Moves the focus to the neighboring cell that an arrow key points at; false where there is none or the key is no arrow. */
export function moveFocus(cells: HTMLElement, from: HTMLElement, key: string): boolean {
  const steps: Record<string, readonly [number, number]> = {
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
  };
  const step = steps[key];
  if (step === undefined) return false;
  const depth = Number(from.dataset.depth) + step[0];
  const level = [...cells.querySelectorAll<HTMLElement>(`button[data-depth="${depth}"]`)];
  const box = from.getBoundingClientRect();
  const at =
    step[0] === 0
      ? level.indexOf(from) + step[1]
      : level.findIndex((cell) => overlaps(cell.getBoundingClientRect(), box));
  const to = level[at];
  if (to === undefined) return true;
  from.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
  return true;
}

function overlaps(a: DOMRect, b: DOMRect): boolean {
  return a.left < b.right && b.left < a.right;
}
