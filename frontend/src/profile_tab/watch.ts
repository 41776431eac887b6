// Reports that something in the Profile tab may have changed (content, layout or address), but not what.

/** Addresses change without an event. */
const LOOK_MS = 1_000;
/** XProf changes many nodes in a row. */
const GATHER_MS = 30;

export class Watch {
  readonly #window: Window & typeof globalThis;
  readonly #onChange: () => void;
  readonly #mutations: MutationObserver;
  readonly #sizes: ResizeObserver;
  readonly #look: number;
  #sized = new Set<Element>();
  #gathering: number | undefined;

  constructor(window: Window & typeof globalThis, onChange: () => void) {
    this.#window = window;
    this.#onChange = onChange;
    this.#mutations = new window.MutationObserver(this.soon);
    this.#mutations.observe(window.document.documentElement, {
      childList: true,
      subtree: true,
      characterData: true,
      attributeFilter: ['class', 'style'],
    });
    this.#sizes = new window.ResizeObserver(this.soon);
    window.addEventListener('resize', this.soon);
    window.document.addEventListener('transitionend', this.soon, true);
    this.#look = window.setInterval(this.soon, LOOK_MS);
  }

  /** Ask for a look in a moment. */
  readonly soon = (): void => {
    this.#gathering ??= this.#window.setTimeout(() => {
      this.#gathering = undefined;
      this.#onChange();
    }, GATHER_MS);
  };

  /** Watch the sizes of these elements, and of no others. */
  size(elements: readonly Element[]): void {
    const wanted = new Set(elements);
    for (const element of this.#sized) if (!wanted.has(element)) this.#sizes.unobserve(element);
    for (const element of wanted) if (!this.#sized.has(element)) this.#sizes.observe(element);
    this.#sized = wanted;
  }

  stop(): void {
    this.#mutations.disconnect();
    this.#sizes.disconnect();
    this.#window.removeEventListener('resize', this.soon);
    this.#window.document.removeEventListener('transitionend', this.soon, true);
    this.#window.clearInterval(this.#look);
    this.#window.clearTimeout(this.#gathering);
  }
}
