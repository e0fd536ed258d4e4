import { defineConfig } from 'vitest/config';
import { areas } from './stryker.config.mjs';

/** The tests of one area of `npm run mutate`, and no others. */
const { tests } = areas[process.env.MUTATE_AREA];

export default defineConfig({
  test: {
    include: tests,
    environment: 'node',
    isolate: false,
    // A busy machine must not fail a test: Stryker has its own limit for changes that never end.
    testTimeout: 30_000,
    ...(tests.some((each) => each.startsWith('apps/api')) && {
      globalSetup: 'apps/api/src/testing/shared-database.ts',
      hookTimeout: 60_000,
      expect: { poll: { timeout: 20_000 } },
    }),
  },
});
