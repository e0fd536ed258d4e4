import type { Document, Prompt, Thread, TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { objectIdOf } from '../../platform/database/object-id.ts';
import { startChatTestBench, userMessage, type ChatTestBench } from '../../testing/chat-test-bench.ts';

let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench();
});
afterAll(async () => bench.stop());

/** Uploads a document with a result; returns its id. */
async function uploadResult({ prompt_id, prompt_revid }: Prompt, supplier: string, total: number): Promise<string> {
  const content = Buffer.from('An invoice.').toString('base64');
  const name = `${supplier.toLowerCase()}.txt`;
  const { body } = await bench.admin.post<{ documents: Document[] }>('./documents', { documents: [{ name, content }] });
  const [document] = body.documents;
  const at = new Date();
  const result = JSON.stringify({ supplier, total, currency: 'EUR' });
  await bench.connection.collection('extractions').insertOne({
    organization_id: objectIdOf(bench.admin.organizationId)!,
    document_id: objectIdOf(document!.id)!,
    prompt_revid: objectIdOf(prompt_revid)!,
    prompt_id,
    version: 1,
    result,
    original_result: result,
    grounding: '{}',
    validation_errors: [],
    created_at: at,
    changed_at: at,
    is_verified: false,
    is_edited: false,
    model: 'a-model',
    usage: { requests: 1 },
    index_pending: 'first',
  });
  return document!.id;
}

it('leaves no value of a document that is removed for good in its conversations, and keeps the questions', async () => {
  const { body: prompt } = await bench.admin.post<Prompt>('./prompts', { name: 'Invoices', content: 'Read it.' });
  const kept = await uploadResult(prompt, 'Kept Corp', 11);
  const purged = await uploadResult(prompt, 'Wingtip Toys', 4_711);
  const query = (args: object) => ({
    calls: [{ name: 'query_results', args: { prompt_id: prompt.prompt_id, ...args } }],
  });
  const rows = (supplier: string) => query({ columns: ['supplier', 'total'], where: `supplier="${supplier}"` });
  bench.script(
    rows('Kept Corp'),
    { text: 'It is small.' },
    rows('Wingtip Toys'),
    // What is unsupported is asked for once more.
    { text: 'It says 4711.' },
    { text: 'It says 4711.' },
    { text: 'As I said: 4711.' },
    { text: 'As I said: 4711.' },
  );
  const ask = async (content: string, thread_id?: string) =>
    (await bench.admin.post<TurnAnswer>('./ask', { ...userMessage(content), ...(thread_id && { thread_id }) })).body;
  const { thread_id } = await ask('What does Kept Corp ask for?');
  await ask('And the other?', thread_id);
  await ask('Again?', thread_id);
  // The total of one document is its value.
  const scope = { document_ids: [purged] };
  const total = { text: 'It is 4711 in all.' };
  bench.script(query({ aggregate: [{ op: 'sum', path: 'total' }] }), total, total);
  const scoped = (await bench.admin.post<TurnAnswer>('./ask', { ...userMessage('How much?'), scope })).body;
  bench.script(query({ aggregate: [{ op: 'max', path: 'total' }] }), total, total);
  await ask('What is the most?');
  /** Where a value of the document stands. */
  const places = async () => {
    const found: string[] = [];
    for (const name of ['agent_threads', 'agent_thread_messages', 'agent_turns', 'agent_turn_events']) {
      for (const record of await bench.connection.collection(name).find().toArray())
        if (/4711|"Wingtip Toys/u.test(JSON.stringify(record))) found.push(`${name} ${String(record['role'])}`);
    }
    return found;
  };
  expect(await places()).toContain('agent_thread_messages assistant');

  expect((await bench.admin.delete(`./documents/${purged}`)).status).toBe(204);
  expect((await bench.admin.delete(`./documents/trash/${purged}`)).status).toBe(204);

  expect(await places()).toEqual([]);
  const { messages } = (await bench.admin.get<Thread>(`./ask/threads/${thread_id}`)).body;
  expect(messages.flatMap(({ role, content }) => (role === 'user' ? [content] : []))).toEqual([
    'What does Kept Corp ask for?',
    'And the other?',
    'Again?',
  ]);
  expect(messages.find(({ role }) => role === 'tool')!.content).toContain(kept);
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: expect.stringContaining('removed') as string });
  // The conversation goes on.
  bench.script({ text: 'Nothing else.' });
  expect(await ask('And now?', thread_id)).toMatchObject({ status: 'completed', text: 'Nothing else.' });
  expect((await bench.admin.get<Thread>(`./ask/threads/${scoped.thread_id}`)).status).toBe(200);
});
