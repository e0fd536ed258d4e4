import { expect, it } from 'vitest';
import { createInMemoryDocumentServices } from '../testing/in-memory-document-services.ts';
import { drain } from '../testing/practice-turn.ts';
import { scriptedLlm } from '../testing/scripted-llm.ts';
import { createDocumentAgentProfile } from './profile.ts';

const nobody = 'f'.repeat(24);
const field = { type: ['string', 'null'] };

it.each<[string, Record<string, unknown>]>([
  ['create_prompt', { name: 'P', content: 'Read.', schema_id: nobody }],
  ['create_prompt', { name: 'P', content: 'Read.', tag_ids: [nobody] }],
  ['update_prompt', { prompt_id: nobody, name: 'P' }],
  ['edit_prompt', { prompt_id: nobody, find: 'a', replace: 'b' }],
  ['delete_prompt', { prompt_id: nobody }],
  ['update_schema', { schema_id: nobody, name: 'S' }],
  ['edit_schema', { schema_id: nobody, changes: [{ op: 'add', path: 'date', definition: field }] }],
  ['delete_schema', { schema_id: nobody }],
  ['update_tag', { tag_id: nobody, name: 'T' }],
  ['delete_tag', { tag_id: nobody }],
  ['update_document', { add_tag_ids: [nobody] }],
  ['update_document', { document_id: nobody, document_name: 'a.pdf' }],
  ['run_extraction', { prompt_revid: nobody }],
  ['create_prompt', { name: 'P', content: 'Read.', model: 'no-such-model' }],
  ['create_tag', { name: 'INVOICE' }],
])('%s that can only fail asks nobody, and the model hears why: %j', async (name, args) => {
  const services = createInMemoryDocumentServices();
  await services.tags.create({ name: 'invoice' }, { call_id: 'made' });
  const llm = scriptedLlm([{ calls: [{ name, args }] }, { text: 'Nothing to do.' }]);
  const { result } = await drain({
    profile: createDocumentAgentProfile({ maxRounds: 4, timeoutMs: 10_000 }),
    llm,
    services,
    decide: () => ({ effect: 'ask' }),
    recordCalls: async () => undefined,
    signal: new AbortController().signal,
    turn: {
      turnId: 'c'.repeat(24),
      threadId: 'd'.repeat(24),
      owner: { organizationId: 'a'.repeat(24), documentId: services.document.id, userId: 'b'.repeat(24) },
      settings: { autoApprove: false, autoApprovedTools: [], model: 'm', mentions: [] },
      messages: [{ role: 'user', content: 'Do it.' }],
      workingState: { schema_revid: null, prompt_revid: null, extraction: null },
    },
  });
  expect(result.status).toBe('completed');
  expect(result.executedRounds[0]?.tool_calls).toMatchObject([{ name, success: false }]);
  expect(result.executedRounds[0]?.tool_calls[0]?.error).toMatch(
    /not exist|not found|no (?:schema|prompt|tag)|not offered|“invoice” exists/iu,
  );
});
