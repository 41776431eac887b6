// Answers the data requests of the hidden viewer with nothing, which saves the server the work.

const EMPTY = 'data:application/json,';

/**
 * Answer XProf's requests for the data of its Memory Viewer with an empty document while `hidden()` holds.
 *
 * Returns a function that says whether any has been answered so since it was last asked: then the viewer, when it is
 * shown, must fetch anew. Every other request goes its way.
 */
export function answerHiddenRequests(window: Window & typeof globalThis, hidden: () => boolean): () => boolean {
  let answered = false;
  const prototype = window.XMLHttpRequest.prototype;
  const open = prototype.open;
  prototype.open = function (this: XMLHttpRequest, method: string, url: string | URL, ...rest: unknown[]): void {
    let target = url;
    if (isViewerData(String(url), window.document.baseURI) && hidden()) {
      answered = true;
      target = EMPTY;
    }
    Reflect.apply(open, this, [method, target, ...rest]);
  } as typeof open;
  return () => {
    const was = answered;
    answered = false;
    return was;
  };
}

function isViewerData(url: string, base: string): boolean {
  if (!url.includes('memory_viewer') || !URL.canParse(url, base)) return false;
  const { pathname, searchParams } = new URL(url, base);
  return pathname.endsWith('/data/plugin/profile/data') && searchParams.get('tag') === 'memory_viewer';
}
