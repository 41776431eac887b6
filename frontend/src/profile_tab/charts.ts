// Without internet XProf's chart library does not come. Before 2.23 its page then stays empty; later ones throw
// at every change, which freezes the side bar. On that failure alone, a stand-in that answers everything is laid out.

const LOADER = /\/charts\/loader\.js$/;

/** Step in when the last of the loaders that XProf's page tries has failed. */
export function standInForCharts(window: Window & typeof globalThis): void {
  window.document.addEventListener('error', (event) => onError(window, event), true);
}

function onError(window: Window & typeof globalThis, event: Event): void {
  const script = event.target;
  if (!(script instanceof window.HTMLScriptElement) || !LOADER.test(script.src)) return;
  // XProf's own handler runs after this one, and may try another address.
  window.setTimeout(() => {
    const trying = [...window.document.scripts].some((other) => other !== script && LOADER.test(other.src));
    if (trying || 'google' in window) return;
    Object.defineProperty(window, 'google', { value: answersEverything(), configurable: true, writable: true });
    script.dispatchEvent(new Event('load'));
  });
}

/** A value that can be called, constructed and asked for anything, and is zero where a number is wanted. */
function answersEverything(): unknown {
  const anything: unknown = new Proxy(function anything() {}, {
    get: (_target, key) => {
      if (key === Symbol.toPrimitive) return () => 0;
      // Not a promise: to await it must not wait for ever.
      return key === 'then' ? undefined : anything;
    },
    set: () => true,
    apply: () => anything,
    construct: () => anything as object,
  });
  return anything;
}
