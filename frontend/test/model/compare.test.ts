/** A comparison read from an answer. */
import { expect, it } from 'vitest';
import type { Change, ChangeKind, CompareAnswer, Headline } from '../../src/generated/contract';
import { commonAxis, headlineRows, kindTotals, otherSpaceText } from '../../src/model/compare';

const half = (bytes: number) => ({ count: 1, bytes, peak_count: 1, peak_bytes: bytes, buffers: [] });
const change = (kind: ChangeKind, subject: number, baseline: number): Change => ({
  kind,
  op_name: 'f/add',
  name: '',
  other_space: null,
  opcode: 'add',
  shape: 'f32[2]',
  baseline_shape: null,
  source: null,
  subject: half(subject),
  baseline: half(baseline),
  difference_bytes: subject - baseline,
});

it('totals the kinds that there are, in a fixed order', () => {
  const totals = kindTotals([change('went', 0, 7), change('appeared', 5, 0), change('appeared', 3, 0)]);
  expect(totals).toEqual([
    { kind: 'appeared', count: 2, bytes: 8 },
    { kind: 'went', count: 1, bytes: -7 },
  ]);
});

it('shows the headline numbers that either side has', () => {
  const zero = { peak_bytes: 0, constant_bytes: 0 } as Headline;
  const answer = {
    subject: { headline: { ...zero, peak_bytes: 10, aliased_bytes: 0 } },
    baseline: { headline: { ...zero, peak_bytes: 4, aliased_bytes: 3 } },
  } as CompareAnswer;
  const shown = headlineRows(answer).filter((row) => !Number.isNaN(row.difference));
  expect(shown.map((row) => [row.name, row.difference])).toEqual([
    ['peak_bytes', 6],
    ['aliased_bytes', -3],
  ]);
});

it('gives each phase the width of the longer side, and holds still where one side lacks it', () => {
  const phase = { label: '', direction: 'none', remat: false } as const;
  const axis = commonAxis({
    subject: { points: 30 },
    baseline: { points: 15 },
    alignment: [
      { ...phase, subject: [0, 10], baseline: [0, 5] },
      { ...phase, subject: [10, 30], baseline: [5, 5] },
      { ...phase, subject: [30, 30], baseline: [5, 15] },
    ],
  });
  expect(axis.length).toBe(40);
  expect([0, 9, 10, 29].map(axis.subject)).toEqual([0, 9, 10, 29]);
  expect([0, 4, 5, 14].map(axis.baseline)).toEqual([0, 8, 30, 39]);
});

it('knows which phase and which points are at a position', () => {
  const phase = { direction: 'none', remat: false } as const;
  const axis = commonAxis({
    subject: { points: 30 },
    baseline: { points: 5 },
    alignment: [
      { ...phase, label: 'forward', subject: [0, 10], baseline: [0, 5] },
      { ...phase, label: 'backward', subject: [10, 30], baseline: [5, 5] },
    ],
  });
  expect(axis.at(4)).toEqual({ subject: 4, baseline: 2, label: 'forward' });
  expect(axis.at(29.9)).toEqual({ subject: 29, baseline: null, label: 'backward' });
  expect(axis.stretches.map(({ start, end }) => [start, end])).toEqual([
    [0, 10],
    [10, 30],
  ]);
});

it('says on which side a buffer is in another memory space', () => {
  const here = change('moved', 5, 0);
  const there = change('moved', 0, 5);
  expect(otherSpaceText(here)).toBe('');
  expect(otherSpaceText({ ...here, other_space: 'VMEM' })).toBe('in VMEM in the baseline');
  const nothing = { ...there.subject, count: 0 };
  expect(otherSpaceText({ subject: nothing, other_space: 'VMEM' })).toBe('in VMEM here');
});

it('stretches both over the whole where phases are not aligned', () => {
  const axis = commonAxis({ subject: { points: 10 }, baseline: { points: 5 }, alignment: [] });
  expect([axis.length, axis.subject(5), axis.baseline(1)]).toEqual([10, 5, 2]);
  expect(axis.stretches).toEqual([]);
  expect(axis.at(5)).toEqual({ subject: 5, baseline: 2, label: '' });
});
