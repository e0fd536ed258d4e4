import type { AuditEntry, Document, Extraction, Prompt, TurnAnswer } from '@docwright/contract';
import { buildPdf, line } from '@docwright/documents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideAll, userMessage, startChatTestBench, type ChatTestBench } from '../../../testing/chat-test-bench.ts';

let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench();
});
afterAll(async () => bench.stop());

const texts = [
  ['Invoice A-1001', 'Page 1 of 2'],
  ['More of A-1001', 'Page 2 of 2'],
  ['Invoice B-2002', 'Page 1 of 1'],
];
const parts = [
  { name: 'A', pages: [[1, 2]] },
  { name: 'B', pages: [[3, 3]] },
];

async function uploadSeveral(): Promise<{ id: string; chat: string }> {
  const pages = texts.map(([title, foot]) => ({ content: line(title!, 50, 700) + line(foot!, 280, 30) }));
  const content = Buffer.from(buildPdf({ pages })).toString('base64');
  const body = { documents: [{ name: 'many.pdf', content }] };
  const uploaded = await bench.admin.post<{ documents: [Document] }>('./documents', body);
  const { id } = uploaded.body.documents[0];
  await bench.services.documents.textReading.readAll(new AbortController().signal);
  return { id, chat: `./documents/${id}/chat` };
}
const children = async (id: string) =>
  (await bench.admin.get<{ documents: Document[] }>('./documents?limit=100')).body.documents.filter(
    ({ split_from }) => split_from?.document_id === id,
  );

/** Extracts values from the document; a user verifies them. */
async function verify({ id }: Document): Promise<void> {
  const prompt = await bench.admin.post<Prompt>('./prompts', { name: `Number of ${id}`, content: 'Which number?' });
  const { prompt_revid } = prompt.body;
  bench.script({ text: '{"number":"A-1001"}' });
  const extracted = await bench.admin.post<Extraction>(`./documents/${id}/extractions`, { prompt_revid });
  expect(extracted.status, extracted.text).toBe(201);
  const url = `./documents/${id}/extractions/${prompt_revid}/verification`;
  expect((await bench.admin.put(url, { is_verified: true })).status).toBe(200);
}

/** The agent proposes a split and splits; the user approves. */
async function splitByAgent(): Promise<{ id: string; chat: string; turn: TurnAnswer }> {
  const document = await uploadSeveral();
  bench.script(
    { calls: [{ name: 'propose_split', args: {} }] },
    { calls: [{ name: 'split_document', args: { parts } }] },
    { text: 'There are two documents now.' },
  );
  const { body: waiting } = await bench.admin.post<TurnAnswer>(document.chat, userMessage('Split this file'));
  expect(waiting.executed_rounds[0]?.tool_calls[0]).toMatchObject({ name: 'propose_split', success: true });
  expect(waiting.tool_calls[0]).toMatchObject({
    name: 'split_document',
    summary: 'Split this document into 2',
    preview: { kind: 'difference', after: expect.stringContaining('A: pages 1–2\nB: page 3') },
  });
  expect(await children(document.id)).toEqual([]);
  const { body: turn } = await bench.admin.post<TurnAnswer>(`${document.chat}/approve`, decideAll(waiting, true));
  expect(turn.status).toBe('completed');
  return { ...document, turn };
}

describe('a split by the agent', () => {
  it('is proposed, approved, executed, and undone with the turn', async () => {
    const { id, chat, turn } = await splitByAgent();
    expect((await children(id)).map(({ document_name }) => document_name).toSorted()).toEqual(['A.pdf', 'B.pdf']);
    const undone = await bench.admin.post<{ undone: object[] }>(`${chat}/turns/${turn.turn_id}/undo`);
    expect(undone.body.undone).toMatchObject([{ tool: 'split_document' }]);
    expect(await children(id)).toEqual([]);
    expect((await bench.admin.get(`./documents/${id}`)).status).toBe(200);
    expect((await bench.admin.get('./documents/trash')).body).toMatchObject({ total_count: 2 });
  });

  it('is not undone if one of the documents has changed since', async () => {
    const { id, chat, turn } = await splitByAgent();
    const [child] = await children(id);
    await bench.admin.patch(`./documents/${child!.id}`, { document_name: 'renamed.pdf' });
    const refused = await bench.admin.post(`${chat}/turns/${turn.turn_id}/undo`);
    expect([refused.status, refused.error?.code]).toEqual([409, 'changed_since']);
    expect(await children(id)).toHaveLength(2);
  });

  it('whose documents hold verified values is undone only if the request includes them', async () => {
    const { id, chat, turn } = await splitByAgent();
    const [child] = await children(id);
    await verify(child!);
    await requireQuestion(`${chat}/turns/${turn.turn_id}/undo`, id, child!);
  });
});

/** The undo names the verified document and removes nothing; once it includes it, it removes all. */
async function requireQuestion(undoUrl: string, id: string, verified: Document): Promise<void> {
  for (const body of [undefined, {}, { including_verified: false }]) {
    const refused = await bench.admin.post(undoUrl, body);
    expect(refused).toMatchObject({ status: 409, error: { code: 'documents_verified' } });
    const documents = [{ document_id: verified.id, document_name: verified.document_name }];
    expect(refused.error?.details).toEqual({ documents, count: 1 });
    expect(await children(id)).toHaveLength(2);
  }
  expect((await bench.admin.post(undoUrl, { including_verified: true })).status).toBe(200);
  expect(await children(id)).toEqual([]);
}

it('a split over HTTP whose documents hold verified values is undone only if the request includes them', async () => {
  const { id } = await uploadSeveral();
  await bench.admin.post(`./documents/${id}/split`, { parts });
  const [child] = await children(id);
  await verify(child!);
  const { body } = await bench.admin.get<{ entries: AuditEntry[] }>(`./audit?document_id=${id}`);
  const entry = body.entries.find(({ tool }) => tool === 'split_document');
  await requireQuestion(`./audit/${entry!.id}/undo`, id, child!);
});

it('a split over HTTP is in the audit log, and can be undone by its entry', async () => {
  const { id } = await uploadSeveral();
  expect((await bench.admin.post(`./documents/${id}/split`, { parts })).status).toBe(201);
  const audit = await bench.admin.get<{ entries: AuditEntry[] }>(`./audit?document_id=${id}`);
  const entry = audit.body.entries.find(({ tool }) => tool === 'split_document');
  expect(entry).toMatchObject({ kind: 'executed', success: true, document_id: id });
  expect((await bench.admin.post(`./audit/${entry!.id}/undo`)).status).toBe(200);
  expect(await children(id)).toEqual([]);
});
