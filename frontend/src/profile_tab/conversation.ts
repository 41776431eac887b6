// Messages with our page: waits until it is ready, sends each fact once, receives requests. Same origin, same frame.

import { type MessageToPage, type NavigateMessage, parseMessageToScript } from './messages';

/** How long our page may take to say that it is up. */
const PATIENCE_MS = 10_000;

export interface Hearer {
  /** The window of our page, null where there is none. */
  page(): Window | null;
  onReady(): void;
  /** The page has not said in time that it is up; it may still. */
  onMute(): void;
  onNavigate(message: NavigateMessage): void;
}

export class Conversation {
  readonly #window: Window;
  readonly #hearer: Hearer;
  #ready = false;
  #patience: number | undefined;
  #told = new Map<MessageToPage['type'], string>();

  constructor(window: Window, hearer: Hearer) {
    this.#window = window;
    this.#hearer = hearer;
    window.addEventListener('message', this.#onMessage);
  }

  get ready(): boolean {
    return this.#ready;
  }

  /** A page is being loaded: wait for it. */
  begin(): void {
    this.#ready = false;
    this.#told.clear();
    this.#window.clearTimeout(this.#patience);
    this.#patience = this.#window.setTimeout(() => {
      if (!this.#ready) this.#hearer.onMute();
    }, PATIENCE_MS);
  }

  /** Tell the page how things are, unless it has been told so. */
  tell(message: MessageToPage): void {
    const text = JSON.stringify(message);
    if (!this.#ready || this.#told.get(message.type) === text) return;
    this.#told.set(message.type, text);
    this.say(message);
  }

  /** Tell the page of something that happened. */
  say(message: MessageToPage): void {
    if (this.#ready) this.#hearer.page()?.postMessage(message, this.#window.location.origin);
  }

  end(): void {
    this.#window.clearTimeout(this.#patience);
    this.#window.removeEventListener('message', this.#onMessage);
  }

  readonly #onMessage = (event: MessageEvent): void => {
    if (event.origin !== this.#window.location.origin || event.source === null) return;
    if (event.source !== this.#hearer.page()) return;
    const message = parseMessageToScript(event.data);
    if (message?.type === 'memviewer:navigate') this.#hearer.onNavigate(message);
    if (message?.type !== 'memviewer:ready') return;
    this.#window.clearTimeout(this.#patience);
    this.#ready = true;
    // A page that was loaded again has forgotten what it was told.
    this.#told.clear();
    this.#hearer.onReady();
  };
}
