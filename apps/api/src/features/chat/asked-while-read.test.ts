import type { TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startChatTestBench, userMessage, type ChatTestBench } from '../../testing/chat-test-bench.ts';

const readingWaitMs = 20_000;
let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench({}, { readingWaitMs });
});
afterAll(async () => bench.stop());

it('a question right after the upload waits for the text, so that the model sees it', async () => {
  const { chat } = await bench.documentOf(bench.admin, 'The deposit is 512 crowns.');
  const model = bench.script({ text: '512 crowns.' });
  const asked = bench.admin.post<TurnAnswer>(chat, userMessage('What is the deposit?'));
  await expect.poll(async () => bench.connection.collection('agent_turns').countDocuments()).toBe(1);
  await bench.services.documents.textReading.readAll(new AbortController().signal);
  expect((await asked).body).toMatchObject({ status: 'completed', text: '512 crowns.' });
  expect(model.requests).toHaveLength(1);
  expect(JSON.stringify(model.requests[0]!.messages)).toContain('512 crowns');
});

it('a question about a duplicate does not wait, because its text is never read', async () => {
  const { admin } = bench;
  await admin.patch(`/v0/orgs/${admin.organizationId}`, { on_duplicate: 'mark' });
  const first = await bench.documentOf(admin, 'The rent is 900 crowns.');
  const { chat } = await bench.documentOf(admin, 'The rent is 900 crowns.');
  const model = bench.script({ text: 'It is a copy.' });
  const started = Date.now();
  const { body } = await admin.post<TurnAnswer>(chat, userMessage('What is the rent?'));
  expect(Date.now() - started).toBeLessThan(readingWaitMs);
  expect(body.status).toBe('completed');
  expect(JSON.stringify(model.requests[0]!.messages)).toContain(`the same bytes as the document ${first.id}`);
});
