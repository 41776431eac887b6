// TensorBoard's address for a tool, in the spelling that every version of XProf reads, and the history around it.

import { describe, expect, it } from 'vitest';
import { startWithoutSteps, toolAddress } from '../../src/profile_tab/tensorboard';

describe('the address of a tool', () => {
  it('keeps the path and names run, host, module and instruction', () => {
    const selection = { run: 'a/b', host: 'h', module: 'jit_f(2)' };
    expect(toolAddress('/prefix/', 'graph_viewer', selection, 'fusion.1')).toBe(
      '/prefix/?tool=graph_viewer&run=a%2Fb&host=h&module_name=jit_f%282%29&node_name=fusion.1#profile',
    );
  });

  it('leaves out what is not chosen', () => {
    const selection = { run: 'a', host: null, module: null };
    expect(toolAddress('/', 'memory_viewer', selection, '')).toBe('/?tool=memory_viewer&run=a#profile');
  });

  it('cannot be broken out of by a name', () => {
    const selection = { run: 'a&tool=x#y', host: null, module: null };
    expect(toolAddress('/', 'trace_viewer', selection, '')).toBe('/?tool=trace_viewer&run=a%26tool%3Dx%23y#profile');
  });
});

/** The frame of the Profile tab in TensorBoard, both with a history that only notes what it is asked. */
class Tab {
  readonly asked: string[] = [];
  readonly parent = {
    location: new URL('http://host/?run=r&tool=graph_viewer#profile'),
    history: this.#history('outer'),
  };
  readonly history = this.#history('frame');
  readonly location = new URL('http://host/data/plugin/profile/index.html');
  readonly sessionStorage = { getItem: () => this.trail };
  leave: () => void = () => {};

  constructor(readonly trail: string | null) {}

  get window(): Window {
    return this as unknown as Window;
  }

  addEventListener(_: string, listener: () => void): void {
    this.leave = listener;
  }

  #history(whose: string) {
    const note = (how: string) => (_state: unknown, _unused: string, address: string) => {
      this.asked.push(`${whose} ${how} ${address}`);
    };
    return { pushState: note('pushes'), replaceState: note('replaces') };
  }
}

const RESTATED = '/?run=r&tag=graph_viewer&host=h';

describe('the steps of a page that starts', () => {
  it('take the place of ours, in both histories', () => {
    const tab = new Tab('1');
    startWithoutSteps(tab.window);
    tab.parent.history.pushState(null, '', RESTATED);
    tab.history.pushState(null, '', 'graph_viewer;run=r');
    expect(tab.asked).toEqual([`outer replaces ${RESTATED}`, 'frame replaces graph_viewer;run=r']);
  });

  it('are steps once a tool is shown', () => {
    const tab = new Tab('1');
    startWithoutSteps(tab.window);
    tab.location.search = '?tag=graph_viewer';
    tab.parent.history.pushState(null, '', RESTATED);
    tab.history.pushState(null, '', 'trace_viewer;run=r');
    expect(tab.asked).toEqual([`outer pushes ${RESTATED}`, 'frame pushes trace_viewer;run=r']);
  });

  it('are not those of TensorBoard, to another tab or tool', () => {
    const tab = new Tab('1');
    startWithoutSteps(tab.window);
    tab.parent.history.pushState(null, '', '/?run=r&tool=graph_viewer#scalars');
    tab.parent.history.pushState(null, '', '/?run=r&tool=trace_viewer#profile');
    expect(tab.asked.map((line) => line.split(' ')[1])).toEqual(['pushes', 'pushes']);
  });

  it('are left alone where we have opened nothing, and when the page is left', () => {
    const untouched = new Tab(null);
    startWithoutSteps(untouched.window);
    untouched.parent.history.pushState(null, '', RESTATED);
    expect(untouched.asked).toEqual([`outer pushes ${RESTATED}`]);
    const left = new Tab('1');
    startWithoutSteps(left.window);
    left.leave();
    left.parent.history.pushState(null, '', RESTATED);
    expect(left.asked).toEqual([`outer pushes ${RESTATED}`]);
  });
});
