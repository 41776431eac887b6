/** Small step lines of memory spaces. */
import { expect, it } from 'vitest';
import { bytesAt, curveOf, curvePath } from '../../src/model/spaces_curve';

const curve = curveOf({ curve: { points: [0, 4, 8], bytes: { delta: [10, 30, -20] } } });

it('knows the bytes at every point', () => {
  expect([0, 3, 4, 7, 8, 100].map((point) => bytesAt(curve, point))).toEqual([10, 10, 40, 40, 20, 20]);
});

it('draws steps to scale, and only those in view', () => {
  expect(curvePath(curve, 0, 10, 100, 40, 40)).toBe('M0,30H40V0H80V20H100');
  expect(curvePath(curve, 5, 7, 100, 40, 40)).toBe('M0,0H100');
});
