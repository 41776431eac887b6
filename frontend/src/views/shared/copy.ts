// Copies a text, or shows it selected if the page may not copy: in a frame without that right, and on plain HTTP.

import { el } from './dom';

/** Whether the text is in the clipboard; where it is not, it stands selected in a dialog. */
export async function copyText(text: string): Promise<boolean> {
  try {
    // There is no clipboard at all where the page came over plain HTTP from another machine.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    showSelected(text);
    return false;
  }
}

function showSelected(text: string): void {
  const field = el('textarea', { readonly: true, rows: 6, 'aria-label': 'Text to copy', spellcheck: 'false' }, text);
  const close = el('button', { type: 'button', class: 'quiet' }, 'Close');
  const dialog = el(
    'dialog',
    { class: 'sheet copy-sheet', 'aria-label': 'Copy' },
    el('div', { class: 'panel-head' }, el('h2', {}, 'Copy'), el('div', { class: 'buttons' }, close)),
    el('p', {}, 'The browser does not allow this page to copy. The text is selected; copy it with the keyboard.'),
    field,
  );
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  field.focus();
  field.select();
}
