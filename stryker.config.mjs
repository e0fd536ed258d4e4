/** `npm run mutate`: changes the code that decides what an agent can do, one place at a time, and counts what the tests notice. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.config.ts', related: true },
  coverageAnalysis: 'perTest',
  mutate: [
    'packages/agent-core/src/{loop,permissions,tool,turns}/**/*.ts',
    'apps/api/src/platform/leases/**/*.ts',
    'apps/api/src/turn-writes/**/*.ts',
    'apps/api/src/features/undo/**/*.ts',
    'apps/api/src/features/identity/{actor,authentication,authentication-service}.ts',
    'apps/api/src/features/permission-rules/**/*.ts',
    '!**/*.test.ts',
    '!**/testing/**',
    '!**/*-{model,bench}.ts',
  ],
  ignorePatterns: ['.data', '.stryker', 'test-output', 'apps/web', 'docs', 'infra'],
  // Vitest reads the sources as they are; TypeScript's own interface, which this would need, is gone since its version 7.
  tsconfigFile: 'none',
  tempDirName: '.stryker',
  incremental: true,
  incrementalFile: 'test-output/mutations.json',
  reporters: ['progress', 'clear-text', 'html'],
  htmlReporter: { fileName: 'test-output/mutations.html' },
  clearTextReporter: { allowColor: false, logTests: false },
  thresholds: { high: 95, low: 92, break: 92 },
};
