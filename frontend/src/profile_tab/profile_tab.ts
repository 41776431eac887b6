// The script that our plugin adds to XProf's page. It runs before XProf's own program, in the Profile tab's frame.
// Whatever goes wrong in it, XProf's Memory Viewer is there as if it had never come.

import { standInForCharts } from './charts';
import { Guest } from './guest';
import { answerHiddenRequests } from './requests';
import { followTrail, keepReload, startWithoutSteps } from './tensorboard';
import { searchTrace } from './trace_search';

/** Relative to the script, which lies beside the page. */
const PAGE = 'page.html?guest=1';

function start(script: HTMLScriptElement): void {
  const pageAddress = new URL(PAGE, script.src).href;
  let guest: Guest | null = null;
  let failed = false;

  const giveUp = (error: unknown): void => {
    if (failed) return;
    failed = true;
    // biome-ignore lint/suspicious/noConsole: there is no other place to say it, the page is not ours.
    console.warn('Memory Viewer: the Profile tab keeps its own viewer.', error);
    guest?.leave();
  };
  const guarded =
    <A extends unknown[]>(handler: (...parameters: A) => void) =>
    (...parameters: A): void => {
      if (failed) return;
      try {
        handler(...parameters);
      } catch (error) {
        giveUp(error);
      }
    };

  guarded(() => {
    const path = window.parent.location.pathname;
    keepReload(window);
    followTrail(window);
    startWithoutSteps(window);
    standInForCharts(window);
    searchTrace(window);
    const takeAnswered = answerHiddenRequests(window, () => !failed && guest !== null && guest.covers);
    const begin = guarded(() => {
      guest = new Guest({ window, pageAddress, path, takeAnswered, guarded });
      guest.start();
    });
    document.addEventListener('DOMContentLoaded', begin);
  })();
}

if (document.currentScript instanceof HTMLScriptElement) start(document.currentScript);
