// Shown instead of numbers: loading, nothing found, errors. Each explains what to do.

import type { Problem } from '../../generated/contract';
import type { Trouble } from '../../model/stage';
import { copyText } from '../shared/copy';
import { el } from '../shared/dom';
import { problemList } from '../shared/problems';

/** An example of a folder that XLA writes its dumps to. */
const DUMPS = '/tmp/xla_dump';

/** Gray shapes where charts will be; says so to those who listen. */
export function loading(what: string): HTMLElement {
  return el(
    'div',
    { class: 'state loading', role: 'status' },
    el('p', {}, what),
    el('div', { class: 'bone short' }),
    el('div', { class: 'bone tall' }),
    el('div', { class: 'bone' }),
    el('div', { class: 'bone' }),
  );
}

/** One line for what failed beside the rest. */
export function trouble(title: string, { message, advice }: Trouble): HTMLElement {
  return el('div', { class: 'notice', role: 'alert' }, `${title}: ${message} ${advice}`);
}

export function failure(title: string, { message, advice }: Trouble, retry: () => void): HTMLElement {
  const again = el('button', { type: 'button', class: 'primary' }, 'Try again');
  again.addEventListener('click', retry);
  return el(
    'div',
    { class: 'state failure', role: 'alert' },
    el('h2', {}, title),
    el('p', {}, message),
    advice === '' ? null : el('p', { class: 'hint' }, advice),
    again,
  );
}

export function emptyLogdir(logdir: string, problems: readonly Problem[], retry: () => void): HTMLElement {
  const again = el('button', { type: 'button', class: 'primary' }, 'Look again');
  again.addEventListener('click', retry);
  return el(
    'div',
    { class: 'state empty-logdir' },
    el('h2', {}, 'No captures here yet'),
    el(
      'p',
      {},
      'The Memory Viewer reads profiles of JAX, TensorFlow and PyTorch/XLA programs, and XLA dumps. There are none in ',
      el('code', {}, logdir || 'this logdir'),
      '.',
    ),
    // That nothing is here is said above already.
    problemList(problems.filter((problem) => problem.code !== 'nothing_found')),
    el('h3', {}, 'Capture one'),
    recipe(
      `import jax\n\nwith jax.profiler.trace("${logdir || '/tmp/logdir'}"):\n    train_step(state, batch)  # the code to examine`,
    ),
    el(
      'p',
      { class: 'hint' },
      'A program that does not fit cannot be profiled. Let XLA dump its plan instead, then open that folder as the logdir.',
    ),
    recipe(`export XLA_FLAGS="$XLA_FLAGS --xla_dump_to=${DUMPS} --xla_dump_hlo_as_proto"`),
    again,
  );
}

/** Lines to run elsewhere, as they are: they scroll sideways rather than break, and can be copied. */
function recipe(text: string): HTMLElement {
  const copy = el('button', { type: 'button', class: 'quiet' }, 'Copy');
  copy.addEventListener('click', async () => {
    if (await copyText(text)) copy.textContent = 'Copied';
  });
  return el('div', { class: 'recipe' }, el('pre', {}, text), copy);
}

export function emptyRun(run: string, problems: readonly Problem[]): HTMLElement {
  return el(
    'div',
    { class: 'state' },
    el('h2', {}, problems.length > 0 ? 'This run cannot be shown' : 'This run has no XLA programs'),
    problems.length > 0
      ? problemList(problems)
      : el(
          'p',
          {},
          `No module was found in “${run}”. A profile contains the programs that ran while it was recorded. Record one while a compiled function runs, with a version of jax from 2021 or later.`,
        ),
  );
}

export function unreadableModule(module: string, problems: readonly Problem[]): HTMLElement {
  return el(
    'div',
    { class: 'state' },
    el('h2', {}, `“${module}” cannot be shown`),
    problems.length > 0
      ? problemList(problems)
      : el('p', {}, 'It has no buffer assignment, so nothing is known about its memory.'),
  );
}
