import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const folder = path.join(root, 'tests/bench');
const benchmarks = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.bench.ts'),
);
/** They measure the database's process, so they start it themselves. */
const ownDatabase = new Set([
  'auto-create.bench.ts',
  'processes/organizations.bench.ts',
  'processes/paced.bench.ts',
  'processes/relay.bench.ts',
  'processes/requests.bench.ts',
]);

it.each(benchmarks)('%s runs to its end in its short form', async (name) => {
  const script = path.join(folder, name);
  // Without the environment that this test run has set up, as `npm run bench` starts it, except for its database server: to start
  // one takes as long as a short form.
  const { TEST_MONGODB_URI, NODE_OPTIONS: _, NODE_ENV: __, VITEST: ___, ...env } = process.env;
  const database = ownDatabase.has(name) ? {} : { TEST_MONGODB_URI };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
    cwd: root,
    env: { ...env, ...database, BENCH_SHORT: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(output).not.toBe('');
});
