// When views take in a change: with a clock, frames and a screen of its own.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { INITIAL, type State } from '../../../src/state/state';
import { Pace } from '../../../src/views/page/pace';
import type { View } from '../../../src/views/shared/view';

let frames: FrameRequestCallback[] = [];
let look: (entries: { target: Element; isIntersecting: boolean }[]) => void = () => {};

beforeEach(() => {
  frames = [];
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (act: FrameRequestCallback) => frames.push(act));
  vi.stubGlobal('cancelAnimationFrame', () => {
    frames = [];
  });
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(seen: typeof look) {
        look = seen;
      }
      observe(): void {}
      unobserve(): void {}
      disconnect(): void {}
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function frame(): void {
  for (const act of frames.splice(0)) act(0);
}

function viewThatCounts(): View & { readonly seen: [number | null, number | null][] } {
  const seen: [number | null, number | null][] = [];
  const update = (state: State, previous: State): void => {
    seen.push([previous.point, state.point]);
  };
  return { element: {} as HTMLElement, seen, update, destroy: vi.fn() };
}

const at = (point: number): State => ({ ...INITIAL, point });

describe('a view in sight', () => {
  it('takes in all changes of a frame as one', () => {
    const [pace, view] = [new Pace(INITIAL), viewThatCounts()];
    pace.add(view);
    pace.changed(at(1));
    pace.changed(at(2));
    expect(view.seen).toEqual([]);
    frame();
    expect(view.seen).toEqual([[null, 2]]);
    vi.runAllTimers();
    expect(view.seen).toEqual([[null, 2]]);
  });
});

describe('a view out of sight', () => {
  it('costs no frame anything, and is right when the hand rests', () => {
    const [pace, view] = [new Pace(INITIAL), viewThatCounts()];
    pace.add(view);
    look([{ target: view.element, isIntersecting: false }]);
    for (let point = 1; point <= 5; point++) {
      pace.changed(at(point));
      frame();
      vi.advanceTimersByTime(50);
    }
    expect(view.seen).toEqual([]);
    vi.runAllTimers();
    expect(view.seen).toEqual([[null, 5]]);
  });

  it('is right when it comes into sight', () => {
    const [pace, view] = [new Pace(INITIAL), viewThatCounts()];
    pace.add(view);
    look([{ target: view.element, isIntersecting: false }]);
    pace.changed(at(1));
    look([{ target: view.element, isIntersecting: true }]);
    expect(view.seen).toEqual([[null, 1]]);
  });
});

describe('the end', () => {
  it('destroys every view, and calls none after it', () => {
    const [pace, view] = [new Pace(INITIAL), viewThatCounts()];
    pace.add(view);
    pace.changed(at(1));
    pace.destroy();
    frame();
    vi.runAllTimers();
    expect(view.seen).toEqual([]);
    expect(view.destroy).toHaveBeenCalledOnce();
  });
});
