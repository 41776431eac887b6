// @vitest-environment jsdom
// The selection, read from side bars and addresses as XProf's versions write them.

import { beforeEach, describe, expect, it } from 'vitest';
import { combine, disagree, readAddress, readLink, readSideBar } from '../../src/profile_tab/selection';

const FRAME = 'http://host/data/plugin/profile';

function box(label: string, value: string): string {
  const shown = value === '' ? '' : `<span class="mat-mdc-select-value-text"><span>${value}</span></span>`;
  return `<div class="item-container"><div> ${label} </div><mat-form-field><mat-select>${shown}</mat-select></mat-form-field></div>`;
}

describe('the side bar', () => {
  beforeEach(() => {
    document.body.innerHTML = '';
  });

  it.each([
    ['Runs (7)', 'Hosts (1)', 'Hlo Modules (3)'],
    ['Sessions (7)', 'Hosts (1)', 'XLA Modules (3)'],
    ['Run (1)', 'Host', 'Modules (1)'],
  ])('is read under the labels %s, %s, %s', (run, host, module) => {
    document.body.innerHTML =
      box(run, 'r/1') + box('Tools (9)', 'Memory Viewer') + box(host, 'h') + box(module, 'm(1)');
    expect(readSideBar(document)).toEqual({ run: 'r/1', host: 'h', module: 'm(1)' });
  });

  it('has nothing to say of boxes that are empty or missing', () => {
    document.body.innerHTML = box('Runs (7)', 'r') + box('Hlo Modules (0)', '');
    expect(readSideBar(document)).toEqual({ run: 'r', host: null, module: null });
  });

  it('is not mistaken for the boxes of the viewer itself', () => {
    document.body.innerHTML = `<memory-viewer>${box('Modules (2)', 'other(2)')}</memory-viewer>${box('Modules (2)', 'm(1)')}`;
    expect(readSideBar(document).module).toBe('m(1)');
  });

  it('is read from plain boxes too', () => {
    document.body.innerHTML =
      '<div class="item-container"><label>Runs</label><select><option>a</option><option selected>b</option></select></div>';
    expect(readSideBar(document).run).toBe('b');
  });
});

describe('the address', () => {
  it.each([
    [`${FRAME}/memory_viewer;run=a%2Fb;tag=memory_viewer;host=h;moduleName=jit_f%282%29?run=a%2Fb&host=h`],
    [`${FRAME}/memory_viewer?run=a%2Fb&tag=memory_viewer&host=h&moduleName=jit_f(2)`],
    [`${FRAME}/memory_viewer?run=a/b&host=h&module_name=jit_f%282%29`],
    [`${FRAME}/memory_viewer?sessionId=a/b&host=h&module_name=jit_f%282%29`],
  ])('is read from %s', (address) => {
    expect(readAddress(address)).toEqual({ run: 'a/b', host: 'h', module: 'jit_f(2)' });
  });

  it('keeps a plus in a path, where it is no space', () => {
    expect(readAddress(`${FRAME}/memory_viewer;run=a+b`).run).toBe('a+b');
  });

  it('names nothing before a tool is chosen', () => {
    expect(readAddress(`${FRAME}/index.html`)).toEqual({ run: null, host: null, module: null });
  });
});

describe('a link to the Memory Viewer', () => {
  it.each([
    ['http://host/prefix/?run=a%2Fb&tool=memory_viewer&host=h&module_name=jit_f%282%29'],
    ['http://host/?tag=memory_viewer@&host=h&run=a/b&moduleName=jit_f(2)#memviewer'],
  ])('names what %s says', (address) => {
    expect(readLink(address)).toEqual({ run: 'a/b', host: 'h', module: 'jit_f(2)' });
  });

  it('takes all hosts for none chosen', () => {
    expect(readLink('http://host/?run=r&tool=memory_viewer&host=ALL_HOSTS')?.host).toBeNull();
  });

  it('is not a link to another tool, nor to none', () => {
    expect(readLink('http://host/?run=r&tool=trace_viewer&host=h')).toBeNull();
    expect(readLink('http://host/?run=r')).toBeNull();
  });
});

describe('both together', () => {
  const nothing = { run: null, host: null, module: null };

  it('are what the side bar shows, completed from the address', () => {
    const shown = { run: 'r', host: null, module: 'new(2)' };
    expect(combine(shown, { run: 'r', host: 'h', module: 'old(1)' })).toEqual({
      run: 'r',
      host: 'h',
      module: 'new(2)',
    });
  });

  it('take all hosts for no host', () => {
    expect(combine({ ...nothing, host: 'ALL_HOSTS' }, nothing).host).toBeNull();
  });

  it('disagree only where both name a run', () => {
    expect(disagree({ ...nothing, run: 'a' }, { ...nothing, run: 'b' })).toBe(true);
    expect(disagree({ ...nothing, run: 'a' }, nothing)).toBe(false);
    expect(disagree(nothing, { ...nothing, run: 'b' })).toBe(false);
    expect(disagree({ ...nothing, run: 'a' }, { ...nothing, run: 'a' })).toBe(false);
  });
});
