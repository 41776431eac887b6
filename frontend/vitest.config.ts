import { defineConfig } from 'vitest/config';

// A machine that is busy is slow, not wrong: the limits only end what hangs.
const PATIENCE_MS = 120_000;

export default defineConfig({
  test: { include: ['test/**/*.test.ts'], testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS },
});
