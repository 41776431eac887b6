/** Labels of lines stand on nothing that is drawn. */
import { expect, it } from 'vitest';
import { type Box, curveBox, freePlace } from '../../src/model/label_place';

const box = (left: number, right: number, top: number, bottom: number): Box => ({ left, right, top, bottom });
const under = box(60, 100, 12, 25);
const underLeft = box(0, 40, 12, 25);
const over = box(60, 100, -5, 8);
const places = [under, underLeft, over] as const;
const y = (value: number): number => 100 - value;
const view = { a: 0, b: 10, width: 100 };

it('takes the first place that the curve does not run through', () => {
  const curve = (values: number[]) => (left: number, right: number) => [
    curveBox(Float64Array.from(values), view, y, left, right),
  ];
  const [low, high] = [40, 80];
  expect(freePlace(places, [], curve(new Array(10).fill(low)))).toBe(under);
  expect(freePlace(places, [], curve([...new Array(6).fill(low), high, low, low, low]))).toBe(underLeft);
  expect(freePlace(places, [], curve(new Array(10).fill(high)))).toBe(over);
  expect(freePlace(places, [under, underLeft, over], curve(new Array(10).fill(low)))).toBe(under);
});

it('takes no place where something else stands', () => {
  expect(freePlace(places, [box(80, 80, -14, 100)], () => [])).toBe(underLeft);
  // On a curve rather than on another label.
  expect(freePlace(places, [under, over], (left, right) => [box(left, right, -99, 99)])).toBe(underLeft);
});

it('knows what the curve takes of a stretch of a zoomed view', () => {
  const values = Float64Array.of(0, 10, 20, 30, 40, 50, 60, 70);
  expect(curveBox(values, { a: 2, b: 6, width: 40 }, y, 10, 29)).toEqual(box(10, 29, 60, 70));
});
