import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase } from '../../platform/database/connection.ts';
import { newTestDatabase } from '../../testing/test-database.ts';
import { createUsageRepositories } from './usage-repository.ts';

const script = fileURLToPath(new URL('../../testing/charge-until-killed.ts', import.meta.url));
const organizationId = '000000000000000000000001';

const uri = newTestDatabase();
let connection: Connection;
beforeAll(async () => {
  connection = await connectDatabase(uri);
});
afterAll(() => connection.close());

/** The number of answers that a process returned before it was killed. */
async function answersBeforeKill(afterAnswers: number): Promise<number> {
  const child = spawn(process.execPath, [script, uri, organizationId], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (piece) => {
    output += String(piece);
    if (output.split('\n').length > afterAnswers) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return output.split('answered\n').length - 1;
}

it('has charged every answer that was returned before a kill -9', async () => {
  const usage = createUsageRepositories(connection, 'USD')(organizationId);
  let charged = 0;
  for (const afterAnswers of [1, 7, 20]) {
    const answered = await answersBeforeKill(afterAnswers);
    const now = (await usage.used(undefined)).spu;
    expect(answered).toBeGreaterThanOrEqual(afterAnswers);
    expect(now - charged).toBeGreaterThanOrEqual(answered);
    // One more answer might be charged but not returned.
    expect(now - charged).toBeLessThanOrEqual(answered + 1);
    charged = now;
  }
  expect((await usage.byDay(undefined)).reduce((sum, { spu }) => sum + spu, 0)).toBe(charged);
  expect((await usage.most('thread', undefined))[0]!.spu).toBeGreaterThanOrEqual(charged - 3);
});
