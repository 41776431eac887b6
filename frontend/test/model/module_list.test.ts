/** The modules of a run as they become known. */
import { describe, expect, it } from 'vitest';
import type { ModuleEntry, ModulesAnswer } from '../../src/generated/contract';
import { cannotBeRead, knownSpaces, nextToDecode, withDecoded, withoutDecoded } from '../../src/model/module_list';
import { WAITING } from '../../src/model/stage';
import { golden, state } from '../golden';

const whole = golden('ModulesAnswer', 'modules.json');
const names = golden('ModulesAnswer', 'module_names.json');
const MiB = 1 << 20;

const name = (module: string, size_bytes: number): ModuleEntry => ({ ...names.modules[0]!, module, size_bytes });
const read = (module: string, peak: number, hosts: readonly string[] = []): ModuleEntry => {
  const space = { ...whole.modules[0]!.spaces[0]!, space: 'HBM', color: 0, peak_bytes: peak };
  return { ...whole.modules[0]!, module, hosts, spaces: [space] };
};
const list = (...modules: ModuleEntry[]): ModulesAnswer => ({ ...whole, modules });
const keys = ({ modules }: ModulesAnswer): string[] => modules.map(({ module }) => module);

describe('what is decoded next', () => {
  it('is the largest program alone where it is large, whatever its place', () => {
    expect(nextToDecode(list(name('a', 1), name('b', 9 * MiB), name('c', 2)))).toEqual(['b']);
  });

  it('is several small ones at once, up to 4 MiB, and no more than an address holds', () => {
    const three = [name('a', 2 * MiB), name('b', 2 * MiB), name('c', 2 * MiB)];
    expect(nextToDecode(list(...three))).toEqual(['a', 'b']);
    const many = Array.from({ length: 100 }, (_, at) => name(`m${at}`, 1));
    expect(nextToDecode(list(...many))).toHaveLength(32);
    expect(nextToDecode(list(name('x'.repeat(3000), 9), name('y', 1)))).toEqual(['x'.repeat(3000)]);
  });

  it('is nothing where all is known', () => {
    expect(nextToDecode(whole)).toEqual([]);
    expect(nextToDecode(names)).toEqual(keys(names));
  });
});

describe('what decoding brings', () => {
  it('comes by peak before the names that wait', () => {
    const some = withDecoded(
      list(name('a', 9), name('b', 8), name('c', 7)),
      ['b', 'c'],
      list(read('b', 1), read('c', 2)),
    );
    expect(keys(some)).toEqual(['c', 'b', 'a']);
  });

  it('may be several modules of one name, on unlike hosts', () => {
    const apart = list(read('a', 1, ['x']), read('a', 2, ['y', 'z']));
    expect(withDecoded(list(name('a', 9)), ['a'], apart).modules.map(({ hosts }) => hosts)).toEqual([
      ['y', 'z'],
      ['x'],
    ]);
  });

  it('may be nothing: its problem stands once beside the rest', () => {
    const problem = { code: 'damaged', message: 'a: broken', advice: '', path: null };
    const none = { ...list(), problems: [problem] };
    const gone = withDecoded({ ...list(name('a', 9), name('b', 1)), problems: [problem] }, ['a'], none);
    expect(keys(gone)).toEqual(['b']);
    expect(gone.problems).toEqual([problem]);
  });

  it('says of a module that could not be asked for that it cannot be read', () => {
    const [failed] = withoutDecoded(list(name('a', 9)), ['a'], { code: 'http', message: 'no', advice: '' }).modules;
    expect(cannotBeRead(failed!)).toBe(true);
    expect(failed!.problems[0]!.message).toBe('no');
    expect(cannotBeRead(name('b', 1))).toBe(false);
  });
});

it('the memory spaces of a module are known by its list of spaces before it is decoded', () => {
  const spaces = { run: whole.run, host: null, module: 'a', name: 'a', axis: 'schedule', points: 1 } as const;
  const answer = { ...spaces, spaces: read('a', 5).spaces } as never;
  const modules = { kind: 'ready', value: list(name('a', 9)) } as const;
  const loaded = { modules, spaces: { kind: 'ready', value: answer }, usage: WAITING } as const;
  expect(knownSpaces(loaded, state({ module: 'a' })).map(({ peak_bytes }) => peak_bytes)).toEqual([5]);
  expect(knownSpaces(loaded, state({ module: 'b' }))).toEqual([]);
});
