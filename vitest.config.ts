import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that replace modules or set what modules keep. They run in processes of their own: later tests would meet both. */
const isolated = '**/*.isolated.test.{ts,tsx}';

/** A cache of compiled code for all processes of this run and the next ones: they load the same packages and sources. */
process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, 'node_modules/.docwright/compiled');

/** One database server for a run; every test file has its own database on it. */
const sharedDatabase = 'apps/api/src/testing/shared-database.ts';

/** One running product, shared by the test files that need no settings or restarts of their own. */
const sharedProduct = 'tests/product/shared-product.ts';

/** The slowest test files, in the order in which they start. A slow file that starts last would leave the other cores idle. */
const longest = [
  'bench/short/benchmarks',
  'attacks/long-results',
  'e2e/pages/accessibility',
  'faults/kill-during-evaluation',
  'faults/bad-input',
  'e2e/pages/guided-setup',
  'e2e/chat/chat-interrupted',
  'e2e/documents/review',
  'e2e/chat/chat-points',
  'faults/kill-during-auto-create',
  'faults/cut-streams',
  'e2e/documents/workbench',
  'e2e/pages/collections',
  'e2e/pages/artifact-pages',
  'attacks/rights',
  'faults/kill-between-decision-and-result',
];

/**
 * Node.js itself loads the sources and caches their compiled code: 7 % less processor time than with Vitest's loader, which only
 * tests that replace modules need.
 */
const loadedByNode = { experimental: { viteModuleRunner: false, nodeLoader: false } };

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = longest.findIndex((name) => moduleId.endsWith(`tests/${name}.test.ts`));
      return found < 0 ? longest.length : found;
    };
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...byProject.values()].flatMap((one) => one.toSorted((a, b) => place(a) - place(b)));
  }
}

/** Projects: tests beside the sources for Node.js, tests of React components, tests that replace modules, tests of the whole product. */
export default defineConfig({
  test: {
    // Tests wait for databases, servers and browsers a third of the time, so even two cores run three files at a time.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'node',
          ...loadedByNode,
          globalSetup: sharedDatabase,
          include: ['packages/*/src/**/*.test.ts', 'apps/api/src/**/*.test.ts'],
          exclude: [isolated],
          environment: 'node',
          // Loading the server for each file takes longer than most files do.
          isolate: false,
          // Databases and processes of several files share the cores. The limits only decide how long a failing test takes.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        test: {
          name: 'web',
          include: ['apps/web/src/**/*.test.{ts,tsx}'],
          exclude: [isolated],
          environment: 'happy-dom',
          isolate: false,
          setupFiles: 'apps/web/src/shared/testing/component-tests.ts',
          // Other files, the build and the checks share the cores. The limits only decide how long a failing test takes.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'isolated',
          globalSetup: sharedDatabase,
          include: [`{packages/*,apps/*}/src/${isolated}`],
          environment: 'node',
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'whole',
          ...loadedByNode,
          isolate: false,
          globalSetup: [sharedDatabase, sharedProduct],
          setupFiles: 'tests/e2e/browser/keep-failed-pages.ts',
          include: [
            'tests/{architecture,ask,attacks,bench,conformance,e2e,faults,interop,load,product,reading,sdk}/**/*.test.ts',
          ],
          environment: 'node',
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Browsers and servers of three files share the cores. The limit only decides how long a failing test takes.
          expect: { poll: { timeout: 45_000 } },
          // After all other projects, three files at a time on any number of cores: their browsers and servers share the memory.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
