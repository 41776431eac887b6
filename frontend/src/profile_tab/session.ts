// Remembers small things while the browser tab is open, unless the browser forbids it.

export type SessionKey = 'memviewer:own-viewer' | 'memviewer:trail' | 'memviewer:find-in-trace';

export function recall(window: Window, key: SessionKey): string | null {
  try {
    return window.sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Remember a text, or forget it where it is null. */
export function remember(window: Window, key: SessionKey, text: string | null): void {
  try {
    if (text === null) window.sessionStorage.removeItem(key);
    else window.sessionStorage.setItem(key, text);
  } catch {
    // A frame of another site may have no storage: the choice holds until the page is loaded again.
  }
}
