import type { TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decideAll, startChatTestBench, userMessage, type ChatTestBench } from '../../../testing/chat-test-bench.ts';

let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench();
});
afterAll(async () => bench.stop());

it('goes on to a call that waits after it has deleted its own document', async () => {
  const { chat } = await bench.documentOf(bench.admin);
  const calls = [{ name: 'create_tag', args: { name: 'after the deletion' } }];
  bench.script({ calls: [{ name: 'delete_document', args: {} }] }, { calls }, { text: 'Done.' });
  const message = { ...userMessage('Delete this document'), auto_approved_tools: ['delete_document'] };
  const own = (await bench.admin.post<TurnAnswer>(chat, message)).body;
  expect(own.tool_calls).toMatchObject([{ name: 'create_tag' }]);
  await bench.services.recoverDecisions(60_000);
  const { status, body } = await bench.admin.post<TurnAnswer>(`${chat}/approve`, decideAll(own, true));
  expect([status, body.status]).toEqual([200, 'completed']);
});
