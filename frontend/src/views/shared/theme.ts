// Light or dark, following TensorBoard's setting, or the system's elsewhere.

import type { Theme } from '../../state/state';

const DARK_CLASS = 'dark-mode';

/** Calls `changed` with the theme now and whenever it changes. */
export function followTheme(changed: (theme: Theme) => void): void {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  const tensorboard = tensorboardBody();
  const tell = (): void => {
    const dark = tensorboard === null ? system.matches : tensorboard.classList.contains(DARK_CLASS);
    const theme = dark ? 'dark' : 'light';
    document.documentElement.dataset.theme = theme;
    changed(theme);
  };
  if (tensorboard === null) system.addEventListener('change', tell);
  else new MutationObserver(tell).observe(tensorboard, { attributes: true, attributeFilter: ['class'] });
  tell();
}

/** The body of the outermost page that is TensorBoard's; null where there is none that we may look at. */
function tensorboardBody(): HTMLElement | null {
  for (let frame: Window = window; frame.parent !== frame; frame = frame.parent) {
    try {
      const { document: page } = frame.parent;
      if (page.querySelector('tb-webapp') !== null || page.body.classList.contains(DARK_CLASS)) return page.body;
    } catch {
      return null;
    }
  }
  return null;
}
