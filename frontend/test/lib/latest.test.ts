// The latest answer wins, in whatever order answers come.

import { expect, it } from 'vitest';
import { Latest, whileWaited } from '../../src/lib/latest';

interface Question {
  readonly signal: AbortSignal;
  answer(value: { readonly of: string }): void;
  fail(error: Error): void;
}

function asker(latest: Latest): (questions: Question[]) => Promise<{ readonly of: string } | null> {
  return (questions) =>
    latest.ask(
      (signal) =>
        new Promise((answer, fail) => {
          questions.push({ signal, answer, fail });
        }),
    );
}

it('gives the answer of a question that nothing has ended', async () => {
  const questions: Question[] = [];
  const first = asker(new Latest())(questions);
  questions[0]!.answer({ of: 'first' });
  expect(await first).toEqual({ of: 'first' });
});

it('drops the answer, and the error, of a question that another has overtaken', async () => {
  const questions: Question[] = [];
  const ask = asker(new Latest());
  const [first, second, third] = [ask(questions), ask(questions), ask(questions)];
  expect(questions.map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
  questions[2]!.answer({ of: 'third' });
  questions[0]!.answer({ of: 'first' });
  questions[1]!.fail(new Error('of the second'));
  expect(await Promise.all([first, second, third])).toEqual([null, null, { of: 'third' }]);
});

it('ends with stop, and can be asked again', async () => {
  const questions: Question[] = [];
  const latest = new Latest();
  const ask = asker(latest);
  const first = ask(questions);
  latest.stop();
  questions[0]!.answer({ of: 'first' });
  expect(await first).toBeNull();
  const second = ask(questions);
  questions[1]!.answer({ of: 'second' });
  expect(await second).toEqual({ of: 'second' });
});

it('passes on the error of the latest question', async () => {
  const questions: Question[] = [];
  const first = asker(new Latest())(questions);
  questions[0]!.fail(new Error('no server'));
  await expect(first).rejects.toThrow('no server');
});

it('has a signal for what takes several answers, which the next question ends', async () => {
  const latest = new Latest();
  const signal = latest.next();
  expect(await whileWaited(Promise.resolve({ of: 'a step' }), signal)).toEqual({ of: 'a step' });
  latest.next();
  expect(await whileWaited(Promise.resolve({ of: 'a late step' }), signal)).toBeNull();
});
