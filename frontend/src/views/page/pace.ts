// When each view takes in a change: at most once a frame, however many events led to it, and out of sight only when the hand
// rests. It knows nothing of what a view shows.

import type { State } from '../../state/state';
import type { View } from '../shared/view';

const REST_MS = 200;

interface Follower {
  readonly view: View;
  /** The state that it shows. */
  seen: State;
  inSight: boolean;
}

export class Pace {
  readonly #followers = new Map<Element, Follower>();
  readonly #observer = new IntersectionObserver((entries) => this.#look(entries));
  #state: State;
  #frame = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(state: State) {
    this.#state = state;
  }

  /** Takes in a view that shows the present state. */
  add(view: View): void {
    this.#followers.set(view.element, { view, seen: this.#state, inSight: true });
    this.#observer.observe(view.element);
  }

  /** Lets go of the views within an element. */
  removeWithin(spot: Element): void {
    for (const [element, { view }] of this.#followers) {
      if (!spot.contains(element)) continue;
      this.#observer.unobserve(element);
      this.#followers.delete(element);
      view.destroy();
    }
  }

  changed(state: State): void {
    this.#state = state;
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#inSight());
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.#oneBehind(), REST_MS);
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#rest);
    this.#observer.disconnect();
    for (const { view } of this.#followers.values()) view.destroy();
    this.#followers.clear();
  }

  #inSight(): void {
    this.#frame = 0;
    for (const follower of this.#followers.values()) if (follower.inSight) this.#catchUp(follower);
  }

  /** A view a task, so that none of them delays the next event by more than its own time. */
  #oneBehind(): void {
    const behind = [...this.#followers.values()].filter((one) => one.seen !== this.#state);
    if (behind[0] === undefined) return;
    this.#catchUp(behind[0]);
    if (behind.length > 1) this.#rest = setTimeout(() => this.#oneBehind());
  }

  #look(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const follower = this.#followers.get(target);
      if (follower === undefined) continue;
      follower.inSight = isIntersecting;
      if (isIntersecting) this.#catchUp(follower);
    }
  }

  #catchUp(follower: Follower): void {
    const previous = follower.seen;
    if (previous === this.#state) return;
    follower.seen = this.#state;
    follower.view.update(this.#state, previous);
  }
}
