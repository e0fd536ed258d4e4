import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that replace modules: what they leave in the memory of a process would mislead those after them. */
const isolated = '**/*.isolated.test.{ts,tsx}';

/** For all processes that a run starts, the next run's too: they load the same packages and sources again and again. */
process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, 'node_modules/.docwright/compiled');

/** One database server for a run: every test file that needs a database has one of its own on it. */
const sharedDatabase = 'apps/api/src/testing/shared-database.ts';

/** One product for the test files that need no settings or restarts of their own. */
const sharedProduct = 'tests/e2e/shared-product.ts';

/** What takes longest, in this order: one of them at the end would run alone, while nothing is left for the other cores. */
const longest = [
  'bench/benchmarks',
  'faults/bad-input',
  'e2e/accessibility',
  'faults/cut-streams',
  'faults/kill-between-decision-and-result',
  'faults/kill-during-evaluation',
  'faults/kill-unattended-runs',
  'faults/kill-during-auto-create',
  'faults/kill-while-reading',
  'faults/several-processes',
  'e2e/guided-setup',
  'e2e/review',
  'e2e/chat-interrupted',
  'e2e/workbench',
];

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

/** One project for what runs in Node beside its source, one for React components, one for what crosses packages. */
export default defineConfig({
  test: {
    // Many wait for a database or a browser more than they compute: two at a time, also where there are two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'node',
          globalSetup: sharedDatabase,
          include: ['packages/*/src/**/*.test.ts', 'apps/api/src/**/*.test.ts'],
          exclude: [isolated],
          environment: 'node',
          // To load the server anew for each file takes longer than most of them.
          isolate: false,
          // Many wait for a database and for processes, side by side on few cores.
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        test: {
          name: 'web',
          include: ['apps/web/src/**/*.test.{ts,tsx}'],
          exclude: [isolated],
          environment: 'happy-dom',
          isolate: false,
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
          isolate: false,
          globalSetup: [sharedDatabase, sharedProduct],
          include: ['tests/{architecture,attacks,bench,conformance,faults,e2e,sdk}/**/*.test.ts'],
          environment: 'node',
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // What is looked at until it is so may take its time on a machine that does much at once.
          expect: { poll: { timeout: 20_000 } },
          // After all others, and three at a time however many cores there are: each starts processes and a browser, and
          // waits for them half of its time.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
