// TensorBoard's address for a tool, in the spelling that every version of XProf reads.

import { describe, expect, it } from 'vitest';
import { toolAddress } from '../../src/profile_tab/tensorboard';

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
