/** Explanations of headline numbers, on answers of the server. */
import { expect, it } from 'vitest';
import { foundKinds } from '../../src/model/findings';
import { fragmentationMeaning, paddingMeaning } from '../../src/model/headline_words';
import { DATASETS, dataset } from '../golden';

it.each(DATASETS)('padding of %s names the bar by padding only where that adds up to more', (_, data) => {
  const { peak_point: peak, padding_bytes: padding } = data.headline;
  const each = data.liveAt(peak).reduce((sum, row) => sum + data.padding(row), 0);
  expect(paddingMeaning(data).includes('bar by padding')).toBe(each > padding);
});

it('padding of buffers that share addresses is explained with its sum', () => {
  const shared = dataset('mlp_donated_vmem');
  expect(paddingMeaning(shared)).toMatch(/adds up to .* buffers share/);
});

it('fragmentation explains its percentage, and XProf’s', () => {
  const { headline } = dataset('padding_hbm');
  expect(fragmentationMeaning(headline)).toMatch(/of all allocated memory; XProf’s .* temporaries only/);
});

it('numbers are marked for what is found', () => {
  const finding = { title: '', bytes: 1, detail: '', advice: '', cure: 'none', effect: null, buffers: [], points: [] };
  const kinds = foundKinds({ findings: [{ ...finding, kind: 'padding' }] });
  expect([kinds.has('padding'), kinds.has('fragmentation')]).toEqual([true, false]);
});
