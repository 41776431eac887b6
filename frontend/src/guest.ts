// The page's side of running in the Profile tab: receives the tab's selection, and requests navigation.

import type { MessageToScript, Tool } from './profile_tab/messages';

/** What the Profile tab has chosen; null where it has chosen nothing. */
export interface Selection {
  readonly run: string | null;
  readonly host: string | null;
  readonly module: string | null;
}

export interface GuestOptions {
  select(selection: Selection): void;
  reload(): void;
}

/** Whether this page is a guest: asked for so, and inside a page of the same origin. */
export function isGuest(): boolean {
  return new URLSearchParams(document.location.search).get('guest') === '1' && window.parent !== window;
}

export class Guest {
  constructor(options: GuestOptions) {
    window.addEventListener('message', (event) => {
      if (event.origin !== document.location.origin || event.source !== window.parent) return;
      const { type, run, host, module } = (event.data ?? {}) as Record<string, unknown>;
      if (type === 'memviewer:select') options.select({ run: text(run), host: text(host), module: text(module) });
      else if (type === 'memviewer:reload') options.reload();
    });
    this.#post({ type: 'memviewer:ready' });
  }

  navigate(tool: Tool, instruction: string, module: string | null, newTab: boolean): void {
    this.#post({ type: 'memviewer:navigate', tool, instruction, module, newTab });
  }

  #post(message: MessageToScript): void {
    window.parent.postMessage(message, document.location.origin);
  }
}

/** Gives the keyboard to this page where it is in frames of its origin and nothing around it has the keyboard. */
export function takeKeyboard(): void {
  for (let inner: Window = window; inner.parent !== inner; inner = inner.parent) {
    // null in a page of another origin, whose keyboard is none of ours.
    const frame = inner.frameElement;
    if (frame === null) return;
    const { activeElement, body } = frame.ownerDocument;
    if (activeElement !== null && activeElement !== body && activeElement !== frame) return;
  }
  window.focus();
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
