// Where the frame goes, in the numbers of a 1280 × 800 window.

import { describe, expect, it } from 'vitest';
import { clearOf } from '../../src/profile_tab/layout';

const WHOLE = { left: 0, top: 64, right: 1280, bottom: 800 };
const BAR = { left: 0, top: 64, right: 340, bottom: 800 };

describe('the area clear of side bars', () => {
  it('is the whole content beside a side bar', () => {
    const beside = { ...WHOLE, left: 340 };
    expect(clearOf(beside, [BAR])).toEqual(beside);
  });

  it('begins where a side bar that overlaps ends', () => {
    expect(clearOf(WHOLE, [BAR])).toEqual({ ...WHOLE, left: 340 });
  });

  it('takes no notice of a side bar that is closed, elsewhere or has no size', () => {
    expect(clearOf(WHOLE, [{ ...BAR, left: 0, right: 0 }])).toEqual(WHOLE);
    expect(clearOf(WHOLE, [{ ...BAR, top: 0, bottom: 64 }])).toEqual(WHOLE);
    expect(clearOf(WHOLE, [{ ...BAR, left: 900, right: 1240 }])).toEqual(WHOLE);
  });

  it('is never turned inside out', () => {
    expect(clearOf({ ...WHOLE, right: 300 }, [BAR])).toEqual({ ...WHOLE, left: 300, right: 300 });
  });
});
