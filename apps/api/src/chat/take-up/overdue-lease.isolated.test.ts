import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { framesOf, say, startChatTestBench, type ChatTestBench } from '../chat-test-bench.ts';

/** A process that is too busy to renew its leases. */
vi.mock('./keep-leases.ts', () => ({ keepLeases: () => ({ stop: () => undefined }) }));

let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench();
});
afterAll(async () => bench.stop());

it('is no reason for a process to take up what it runs itself, and to cut off who reads it', async () => {
  const { chat } = await bench.documentOf(bench.admin);
  bench.script({ text: 'Slowly.' });
  const goOn = bench.holdModel();
  const { accessToken, organizationId } = bench.admin;
  const response = await fetch(bench.address + chat.replace('./', `/v0/orgs/${organizationId}/`), {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...say('Speak'), stream: true }),
  });
  await bench.connection
    .collection('agent_turns')
    .updateMany({ status: 'running' }, { $set: { lease_until: new Date(0) } });
  await sleep(2_200);
  goOn();
  const frames = framesOf(await response.text());
  expect(frames.map(({ event }) => event)).toEqual([
    'turn_started',
    'assistant_text_chunk',
    'assistant_text_done',
    'usage',
    'done',
  ]);
});
