import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase } from '../../platform/database/connection.ts';
import { newTestDatabase } from '../../testing/test-database.ts';
import { createEventLog } from '../event-log/event-log-repository.ts';
import { createExtractionRepositories } from '../extractions/index.ts';
import { createReleases } from './release-repository.ts';

const script = fileURLToPath(new URL('./testing/release-until-killed.ts', import.meta.url));
const [organizationId, documentId, promptRevid] = ['1', '2', '3'].map((digit) => digit.repeat(24)) as [
  string,
  string,
  string,
];

/** `KILLS=30` after a change to the writes of results. */
const kills = Number(process.env['KILLS'] ?? 2);

const uri = newTestDatabase();
let connection: Connection;
beforeAll(async () => {
  connection = await connectDatabase(uri);
});
afterAll(() => connection.close());

/** Kills the process in the middle of the step after so many. */
async function stepsBeforeKill(count: number): Promise<number> {
  const child = spawn(process.execPath, [script, uri, organizationId, documentId, promptRevid], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (piece) => {
    output += String(piece);
    if (output.split('\n').length <= count) return;
    setTimeout(() => child.kill('SIGKILL'), Math.random() * 10);
  });
  await once(child, 'close');
  return output.split('step\n').length - 1;
}

it(
  'has exactly one event for each release and withdrawal after each kill -9',
  { timeout: 60_000 + kills * 15_000 },
  async () => {
    const extractions = createExtractionRepositories(connection)(organizationId);
    const log = createEventLog(connection);
    const releases = createReleases(connection, async ({ _id: id, type, at, version }) =>
      log.append(organizationId, [{ id, type, at, data: { document_id: documentId, version } }]),
    );
    await extractions.saveRun(
      {
        document_id: documentId,
        prompt_revid: promptRevid,
        prompt_id: new mongoose.Types.ObjectId().toHexString(),
        result: { total: 0 },
        grounding: {},
        validation_errors: [],
        issues: [],
        model: 'm',
        usage: { prompt_tokens: 0, completion_tokens: 0, spu: 0, estimated: false },
        facts: { signals: {}, failed_checks: [], decisions: {} },
      },
      { author: { kind: 'person', user_id: documentId, origin: { kind: 'api' } }, check: () => undefined },
    );
    let steps = 0;
    for (let kill = 0; kill < kills; kill += 1) steps += await stepsBeforeKill(1 + ((kill * 5) % 12));
    const record = (await releases.get(organizationId, documentId, promptRevid))!;
    await releases.publish(record);
    expect(record.version).toBeGreaterThan(steps / 2);
    const events = (await log.list(organizationId, 0, 1000)).map(
      ({ type, data }) => `${type} ${String(data['version'])}`,
    );
    const former = Array.from({ length: record.version - 1 }, (_, index) => index + 1);
    expect(events).toEqual([
      ...former.flatMap((version) => [`result.released ${version}`, `result.withdrawn ${version}`]),
      ...(record.release?.state === 'released' ? [`result.released ${record.version}`] : []),
    ]);
  },
);
