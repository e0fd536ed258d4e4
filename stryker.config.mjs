const core = 'packages/agent-core/src';
const api = 'apps/api/src';

/** What `npm run mutate -- <area>` changes, and the tests that should notice: those beside it, where they are enough. */
export const areas = {
  loop: {
    mutate: [`${core}/loop/*.ts`],
    tests: [`${core}/{loop,tool,history}/*.test.ts`, `${core}/plans/{approved-plans,changed-targets}.test.ts`],
  },
  permissions: { mutate: [`${core}/permissions/*.ts`], tests: [`${core}/permissions/*.test.ts`] },
  tool: { mutate: [`${core}/tool/*.ts`], tests: [`${core}/tool/*.test.ts`] },
  turns: { mutate: [`${core}/turns/*.ts`], tests: [`${core}/turns/*.test.ts`] },
  leases: {
    mutate: [`${api}/platform/leases/*.ts`],
    tests: [`${api}/platform/leases/*.test.ts`, `${api}/process/lease-uses*.test.ts`],
  },
  undo: {
    mutate: [`${api}/features/undo/*.ts`, `${api}/turn-writes/*.ts`],
    tests: [`${api}/{features/undo,turn-writes}/*.test.ts`, `${api}/features/runs/run-undo.test.ts`],
  },
  rights: {
    mutate: [
      `${api}/features/identity/{rights/actor,authentication/authentication,authentication/authentication-service}.ts`,
      `${api}/features/permission-rules/*.ts`,
    ],
    tests: [
      `${api}/features/identity/authentication/*.test.ts`,
      `${api}/features/identity/second-factor/*.test.ts`,
      `${api}/features/identity/{sign-in/auth,oauth/oauth}-routes.test.ts`,
      `${api}/features/evaluations/evidence-rules.test.ts`,
      `${api}/features/permission-rules/*.test.ts`,
    ],
  },
};

const area = process.env.MUTATE_AREA;

/** Changes the code that decides what an agent can do, one place at a time, and counts what the tests notice. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutate.config.mjs', related: false },
  coverageAnalysis: 'perTest',
  mutate: [
    ...(areas[area]?.mutate ?? []),
    '!**/*.test.ts',
    '!**/testing/**',
    '!**/{feature,*-{model,bench,routes,services}}.ts',
  ],
  ignorePatterns: ['.data', '.stryker', '.toolchain', 'test-output', 'apps/web', 'docs', 'infra'],
  // Vitest reads the sources as they are; TypeScript's own interface, which this would need, is gone since its version 7.
  tsconfigFile: 'none',
  tempDirName: '.stryker',
  incremental: true,
  incrementalFile: `test-output/mutations-${area}.json`,
  reporters: ['progress', 'clear-text', 'html'],
  htmlReporter: { fileName: `test-output/mutations-${area}.html` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 92, break: 92 },
};
