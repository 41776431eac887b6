import { expect, it } from 'vitest';
import { changeInWords, openingWords } from '../../src/model/announcement';
import { dataset, state } from '../golden';

const data = dataset('while_cond_hbm');

it('says where a move has led', () => {
  const words = changeInWords(data, state({ point: 0 }), state());
  expect(words).toContain('Point 0');
  expect(words).toContain(data.instructionName(data.instructionAt(0)));
});

it('says what is pinned, and nothing of what is hovered', () => {
  expect(changeInWords(data, state({ pinned: 0 }), state())).toContain(`Pinned ${data.name(0)}`);
  expect(changeInWords(data, state(), state({ pinned: 0 }))).toBe('No buffer pinned');
  expect(changeInWords(data, state({ hovered: 0 }), state())).toBeNull();
});

it('says which loop is folded', () => {
  const row = data.loops.findIndex((loop) => loop?.kind === 'while');
  const { name } = data.loops[row]!;
  expect(changeInWords(data, state({ folded: [row] }), state())).toContain(`Folded ${name}, points`);
  expect(changeInWords(data, state(), state({ folded: [row] }))).toContain(`Unfolded ${name}, points`);
});

it('opens with module, memory space and peak', () => {
  expect(openingWords(data)).toMatch(/v5e_while_cond.*HBM.*peak/);
});
