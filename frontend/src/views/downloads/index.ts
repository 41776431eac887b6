// Downloads: the line chart and the map as pictures, the buffers as CSV, the data as JSON, the whole page as HTML.

import { formatBytes } from '../../lib/bytes';
import type { Dataset } from '../../model/dataset';
import { csvColumns } from '../../model/table/buffers';
import { tableCsv } from '../../model/table/table';
import { el } from '../shared/dom';
import { download, fileName } from '../shared/download';
import { closeWhenLeft } from '../shared/menu';
import { standAlone, toPng } from '../shared/picture';
import type { View, ViewContext } from '../shared/view';

/** Makes the page with the data of the module in one file. */
export type Report = (dataset: Dataset) => Promise<string>;

/** What is saved, asked of the views that show it. */
export interface Saved {
  /** null in a report, which has no server to make another. */
  readonly report: Report | null;
  chart(): SVGSVGElement;
  /** The map as an SVG file; "" where there is none. */
  map(): string;
}

export function makeDownloads({ dataset }: ViewContext, { report, chart, map }: Saved): View {
  const { answer } = dataset;
  const status = el('span', { class: 'hint', role: 'status' });
  const list = el('div', { class: 'menu-list', tabindex: -1 });
  const menu = el('details', { class: 'menu downloads' }, el('summary', { class: 'quiet' }, 'Download'), list);
  const element = el('div', { class: 'downloads-bar' }, menu, status);
  const name = (what: string, suffix: string): string =>
    fileName([answer.run, answer.name, answer.space, what], suffix);

  function entry(label: string, id: string, act: () => Promise<void> | void): void {
    const button = el('button', { type: 'button', class: 'menu-entry', id }, label);
    button.addEventListener('click', async () => {
      menu.open = false;
      status.textContent = '';
      try {
        await act();
      } catch (error) {
        status.textContent = `Not saved: ${error instanceof Error ? error.message : String(error)}`;
      }
    });
    list.append(button);
  }

  function chartSvg(): string {
    const drawn = chart();
    const background = getComputedStyle(drawn.closest('.panel') ?? document.body).backgroundColor;
    return standAlone(
      drawn,
      `${answer.name}, ${answer.space}: peak ${formatBytes(answer.headline.peak_bytes)}`,
      background,
    );
  }

  function mapSvg(): string {
    const text = map();
    if (text === '') throw new Error('this memory space has no map');
    return text;
  }

  entry('Chart as SVG', 'save-chart-svg', () => download(name('chart', 'svg'), chartSvg(), 'image/svg+xml'));
  entry('Chart as PNG', 'save-chart-png', async () =>
    download(name('chart', 'png'), await toPng(chartSvg()), 'image/png'),
  );
  entry('Map as SVG', 'save-map-svg', () => download(name('map', 'svg'), mapSvg(), 'image/svg+xml'));
  entry('Map as PNG', 'save-map-png', async () => download(name('map', 'png'), await toPng(mapSvg()), 'image/png'));
  entry('All buffers as CSV', 'save-csv', () =>
    download(name('buffers', 'csv'), tableCsv(csvColumns(dataset), countedRows()), 'text/csv;charset=utf-8'),
  );
  entry('Data as JSON', 'save-json', () => download(name('usage', 'json'), JSON.stringify(answer), 'application/json'));
  if (report !== null)
    entry('Page as HTML', 'save-html', async () =>
      download(name('report', 'html'), await report(dataset), 'text/html;charset=utf-8'),
    );

  function* countedRows(): Generator<number> {
    for (let row = 0; row < dataset.count; row++) if (dataset.represents[row] === 1) yield row;
  }

  closeWhenLeft(menu);
  return { element, update() {}, destroy() {} };
}
