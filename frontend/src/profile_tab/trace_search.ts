// Trace Viewer takes no instruction by address. It has a search box, so an instruction to be seen there is typed in.

const FIND_KEY = 'memviewer:find-in-trace';
const LOOK_MS = 500;
/** A large trace takes its time; after this the person has found their own way. */
const PATIENCE_MS = 60_000;
/** How long the search box may be there while nothing says that the trace has come. */
const LOADING_MS = 5_000;

/** Have the instruction searched for once Trace Viewer is there. */
export function searchTraceLater(window: Window, instruction: string): void {
  window.sessionStorage.setItem(FIND_KEY, instruction);
}

/** Do the search that was asked for before XProf's page was loaded, if any. */
export function searchTrace(window: Window): void {
  const instruction = window.sessionStorage.getItem(FIND_KEY);
  window.sessionStorage.removeItem(FIND_KEY);
  if (instruction === null || instruction === '') return;
  const began = Date.now();
  let boxSince: number | null = null;
  const timer = window.setInterval(() => {
    const trace = traceWindow(window);
    const box = trace?.document.getElementById('filter');
    if (!trace || !box) {
      if (Date.now() - began > PATIENCE_MS) window.clearInterval(timer);
      return;
    }
    boxSince ??= Date.now();
    if (trace.document.getElementById('throbber')?.className !== 'inactive' && Date.now() - boxSince < LOADING_MS)
      return;
    window.clearInterval(timer);
    (box as HTMLInputElement).value = instruction;
    // Trace Viewer takes events of its own window only.
    box.dispatchEvent(new trace.Event('input', { bubbles: true }));
  }, LOOK_MS);
}

function traceWindow(window: Window): (Window & typeof globalThis) | null {
  const frame = window.document.querySelector<HTMLIFrameElement>('trace-viewer iframe');
  return frame?.contentWindow as (Window & typeof globalThis) | null;
}
