import { documentAgentTools } from '@docwright/agent-core';
import type { AuditEntry, Extraction, Prompt, TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  decideAll,
  framesOf,
  startChatTestBench,
  userMessage,
  type ChatTestBench,
} from '../../testing/chat-test-bench.ts';
import { createHeadlessPermissions } from '../headless/headless-permissions.ts';

let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench();
});
afterAll(async () => bench.stop());

async function extractedDocument(total = '1') {
  const { id, chat } = await bench.documentOf(bench.admin);
  await bench.services.documents.textReading.readAll(new AbortController().signal);
  const { prompt_revid } = (await bench.admin.post<Prompt>('./prompts', { name: 'p', content: 'Total?' })).body;
  bench.script({ text: JSON.stringify({ total }) });
  await bench.admin.post(`./documents/${id}/extractions`, { prompt_revid });
  const url = `./documents/${id}/extractions/${prompt_revid}`;
  const read = async () => (await bench.admin.get<Extraction>(url)).body.release;
  return { id, chat, prompt_revid, url, read };
}

const callOf = (prompt_revid: string, version: number) => ({ name: 'release_result', args: { prompt_revid, version } });

it('releases a result after the approval of its user, who is named in the audit log', async () => {
  const { id, chat, prompt_revid, read } = await extractedDocument();
  bench.script({ calls: [callOf(prompt_revid, 1)] }, { text: 'Done.' });
  const waiting = (await bench.admin.post<TurnAnswer>(chat, userMessage('Release it'))).body;
  expect(waiting.tool_calls).toMatchObject([
    { name: 'release_result', effect: 'read_write', summary: 'Release version 1 of the extraction' },
  ]);
  expect((await read()).state).toBe('open');
  const { body } = await bench.admin.post<TurnAnswer>(`${chat}/approve`, decideAll(waiting, true));
  expect(body.executed_rounds[0]!.tool_calls[0]).toMatchObject({ success: true });
  expect(await read()).toMatchObject({ state: 'released', by: 'user', user_id: expect.any(String) });
  const audit = await bench.admin.get<{ entries: AuditEntry[] }>(`./audit?document_id=${id}&tool=release_result`);
  expect(audit.body.entries).toContainEqual(expect.objectContaining({ tool: 'release_result', kind: 'executed' }));
});

it('releases no version that its user has not seen', async () => {
  const { chat, prompt_revid, url, read } = await extractedDocument();
  bench.script({ calls: [callOf(prompt_revid, 2)] }, { text: 'It has changed.' });
  const refused = (await bench.admin.post<TurnAnswer>(chat, userMessage('Release it'))).body;
  expect(refused.executed_rounds[0]!.tool_calls[0]!.error).toContain('The newest version is 1');
  bench.script({ calls: [callOf(prompt_revid, 1)] }, { text: 'Done.' });
  const waiting = (await bench.admin.post<TurnAnswer>(chat, userMessage('Release it'))).body;
  await bench.admin.patch(url, { path: 'total', value: '2', base_version: 1 });
  const { body } = await bench.admin.post<TurnAnswer>(`${chat}/approve`, decideAll(waiting, true));
  expect(body.executed_rounds[0]!.tool_calls[0]!.error).toContain('stale_proposal');
  expect((await read()).state).toBe('open');
});

it('is denied to a run without a user, also if a rule allows it', async () => {
  const { decide } = createHeadlessPermissions({
    kind: 'agent',
    tools: documentAgentTools,
    services: { extractions: {} } as never,
    decide: async () => ({ effect: 'allow' }),
    onAsk: 'park',
    requireLease: async () => undefined,
  });
  const request = { tool: 'release_result', arguments: callOf('a'.repeat(24), 1).args };
  expect(await decide(request as never)).toMatchObject({ effect: 'deny' });
  expect(await decide({ ...request, tool: 'run_extraction' } as never)).toMatchObject({ effect: 'allow' });
});

it('is asked about in a turn that approves everything, or a document could have its result released', async () => {
  const { chat, prompt_revid, read } = await extractedDocument('5');
  const everything = { ...userMessage('What is the total?'), stream: true, auto_approve: true };
  bench.script({ calls: [callOf(prompt_revid, 1)] }, { text: 'The total is 5.' });
  const { text } = await bench.admin.post(chat, everything);
  expect(framesOf(text).at(-1)?.data['result']).toMatchObject({ status: 'awaiting_approval' });
  expect((await read()).state).toBe('open');
});

it('runs unasked where the user approved this tool by its name', async () => {
  const { chat, prompt_revid, read } = await extractedDocument('5');
  bench.script({ calls: [callOf(prompt_revid, 1)] }, { text: 'Done.' });
  await bench.admin.post(chat, { ...userMessage('Release it'), auto_approved_tools: ['release_result'] });
  expect((await read()).state).toBe('released');
});
