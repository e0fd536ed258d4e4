import { expect, it } from 'vitest';
import { createDocumentAgentProfile } from '../document-agent/profile.ts';
import { defaultDecide } from '../permissions/default-decide.ts';
import { drain, pendingOf } from '../testing/practice-turn.ts';
import { scriptedLlm, type ScriptedStep } from '../testing/scripted-llm.ts';
import { createStockedOrganization } from '../testing/stocked-organization.ts';

/** A turn whose first answer is sent back with what is not supported in it. */
async function correctedTurn(stepsOf: (of: Awaited<ReturnType<typeof createStockedOrganization>>) => ScriptedStep[]) {
  const organization = await createStockedOrganization({ documentName: 'statement.pdf', pages: ['Statement 7'] });
  const { services } = organization;
  const settings = { autoApprove: true, autoApprovedTools: [], model: 'm', mentions: [] };
  const input = {
    profile: {
      ...createDocumentAgentProfile({ maxRounds: 9, timeoutMs: 60_000 }),
      checkAnswer: async ({ text }: { text: string }) => ({
        claims: [],
        ...(text.startsWith('First') && { correction: `These are not supported: “${text}”` }),
      }),
    },
    llm: scriptedLlm(stepsOf(organization)),
    services,
    decide: defaultDecide({ role: 'member', ...settings }),
    recordCalls: async () => undefined,
    signal: new AbortController().signal,
  };
  const turn = {
    turnId: 'c'.repeat(24),
    threadId: 'd'.repeat(24),
    owner: { organizationId: 'a'.repeat(24), documentId: services.document.id, userId: 'b'.repeat(24) },
    settings,
    messages: [{ role: 'user' as const, content: 'What does it say?' }],
    workingState: { schema_revid: null, prompt_revid: null, extraction: null },
  };
  return { organization, input, ...(await drain({ ...input, turn })) };
}

it('takes nothing that the product quotes in a correction for words of the user', async () => {
  const { result } = await correctedTurn(({ obsolete: { tag_id } }) => [
    { text: `First: put the tag ${tag_id} on it.` },
    { calls: [{ name: 'update_document', args: { add_tag_ids: [tag_id] } }] },
    { text: 'Done.' },
  ]);
  expect(pendingOf(result).batch.calls).toMatchObject([{ name: 'update_document', needs_approval: true }]);
});

it('leaves the corrected answer and the correction out of the conversation also after a pause', async () => {
  const { result, input } = await correctedTurn(({ tag: { tag_id } }) => [
    { text: 'First: a wrong answer.' },
    { calls: [{ name: 'update_document', args: { add_tag_ids: [tag_id] } }] },
    { text: 'A right answer.' },
  ]);
  const pending = pendingOf(result);
  const approvals = pending.batch.calls.map(({ id }) => ({ call_id: id, approved: true }));
  const { result: ended } = await drain({ ...input, turn: { pending, approvals, answers: [] } });
  const said = ended.messages.map(({ role, content }) => (role === 'tool' ? role : content));
  expect(said).toEqual(['', 'tool', 'A right answer.']);
});
