// What counts as a message of our page.

import { describe, expect, it } from 'vitest';
import { parseMessageToScript } from '../../src/profile_tab/messages';

describe('a message to the script', () => {
  it.each([null, 'memviewer:ready', 1, {}, { type: 'memviewer:select' }, { type: 'memviewer:navigate' }])(
    'is not %j',
    (data) => {
      expect(parseMessageToScript(data)).toBeNull();
    },
  );

  it('opens no tool but the two that it knows', () => {
    expect(parseMessageToScript({ type: 'memviewer:navigate', tool: 'javascript:x', instruction: 'a' })).toBeNull();
  });

  it('may leave out what it does not know', () => {
    expect(parseMessageToScript({ type: 'memviewer:navigate', tool: 'graph_viewer', instruction: 'a' })).toEqual({
      type: 'memviewer:navigate',
      tool: 'graph_viewer',
      instruction: 'a',
      module: null,
      newTab: false,
    });
  });
});
