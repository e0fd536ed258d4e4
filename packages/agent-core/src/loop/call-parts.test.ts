import { DomainError, type CallDecision, type ProposedCall, type ToolCall } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CallPermission } from '../permissions/permission.ts';
import type { CallProvenance } from '../provenance/label-arguments.ts';
import { conversation, propose, tagStep } from '../testing/plan-conversation.ts';
import { practiceTools } from '../testing/practice-turn.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { createToolset } from '../tool/toolset.ts';
import { checkDecisions, editedArguments, verdictOn, type Decisions } from './approval.ts';
import { editedProvenance, storedProvenance, emittedProvenance } from './call-provenance.ts';
import { callTool, provenanceFor, type MakeContext } from './call-tool.ts';
import { turnHeldByCaller } from './caller-held.ts';

const proposed = (over: Partial<ProposedCall> = {}): ProposedCall => ({
  id: 'c1',
  name: 'write_note',
  arguments: '{"text":"x"}',
  effect: 'read_write',
  summary: 'Write',
  needs_approval: true,
  ...over,
});
const decided = (approved: boolean, over: Partial<CallDecision> = {}): CallDecision => ({
  call_id: 'c1',
  approved,
  ...over,
});

describe('the verdict on a call', () => {
  const answers = [{ question_id: 'q', option_ids: ['o'] }];
  const ofOther = { approvals: [decided(true, { call_id: 'c0' })], answers: [{ call_id: 'c0', answers }] };
  const answered = { answers: [{ call_id: 'c1', answers }] };
  it.each<[string, Partial<Decisions>, boolean, object | undefined]>([
    ['nothing', {}, false, { approved: false }],
    ['a decision on another call', ofOther, false, { approved: false }],
    ['an approval', { approvals: [...ofOther.approvals, decided(true)] }, false, { approved: true }],
    ['an edit', { approvals: [decided(true, { arguments: '{}' })] }, false, { approved: true, arguments: '{}' }],
    ['a reason', { approvals: [decided(false, { reason: 'No.' })] }, false, { approved: false, reason: 'No.' }],
    ['answers to another call', ofOther, true, { approved: false }],
    ['answers', answered, true, { approved: true, answers }],
    ['answers and an approval', { ...answered, approvals: [decided(true)] }, true, { approved: true, answers }],
    ['answers and a rejection', { ...answered, approvals: [decided(false)] }, true, { approved: false }],
  ])('follows from %s', (_, decisions, awaitsAnswers, verdict) => {
    expect(verdictOn(proposed(), awaitsAnswers, { approvals: [], answers: [], ...decisions })).toStrictEqual(verdict);
  });

  it('is undefined if the call needs no approval and the user did not reject it', () => {
    const free = proposed({ needs_approval: false });
    expect(verdictOn(free, false, { approvals: [decided(true)], answers: [] })).toBeUndefined();
    // A program that rejects every call of a batch has rejected this one too.
    const rejects = { approvals: [decided(false)], answers: [] };
    expect(verdictOn(free, false, rejects)).toStrictEqual({ approved: false });
  });

  it('accepts steps only for a plan, and treats an empty list as omitted', () => {
    expect(editedArguments(proposed(), { steps: [] })).toBeUndefined();
    const steps = [{ id: 'tag', approved: false }];
    expect(() => editedArguments(proposed(), { steps })).toThrow(
      expect.objectContaining({ code: 'invalid_plan', message: expect.stringContaining('Only a plan has steps') }),
    );
  });
});

describe('decisions on a pending turn', () => {
  const asking = defineTool({
    name: 'ask',
    description: 'Asks.',
    effect: 'read',
    awaitsAnswers: true,
    parameters: z.object({}),
    checkAnswers: (_, answers) => {
      if (answers.length === 0) throw new DomainError('unprocessable', 'unanswered', 'Answer it.');
    },
    execute: async () => null,
  });
  const tools = createToolset<unknown>([asking, ...practiceTools.tools] as never);
  const turn = turnHeldByCaller({
    turnId: 't',
    owner: { organizationId: 'o', documentId: '', userId: 'u' },
    calls: [
      { id: 'c1', name: 'write_note', arguments: '{"text":"x"}' },
      { id: 'c2', name: 'ask', arguments: '{}' },
      { id: 'c3', name: 'gone', arguments: '{}' },
    ] as ToolCall[],
    workingState: { schema_revid: null, prompt_revid: null, extraction: null },
  });
  const errorOf = (decisions: Partial<Decisions>) => {
    try {
      checkDecisions(tools, turn, { approvals: [], answers: [], ...decisions });
      return undefined;
    } catch (error) {
      return error instanceof DomainError ? [error.kind, error.code, error.message] : error;
    }
  };
  const answersTo = (call_id: string, answers: Decisions['answers'][number]['answers'] = []) => ({
    answers: [{ call_id, answers }],
  });
  it.each<[Partial<Decisions>, unknown]>([
    [{ approvals: [decided(true), decided(false, { call_id: 'c3' })] }, undefined],
    [{ approvals: [decided(true, { arguments: '{"text":"y"}' })] }, undefined],
    [
      { approvals: [decided(true, { arguments: '[' })] },
      ['unprocessable', 'invalid_arguments', 'The arguments are not one complete JSON object: ['],
    ],
    [answersTo('c0'), ['unprocessable', 'unknown_call', 'No call c0 is pending in this turn.']],
    [
      { approvals: [decided(true), decided(true)] },
      ['unprocessable', 'decided_twice', 'There are two decisions on call c1.'],
    ],
    [answersTo('c2'), ['unprocessable', 'unanswered', 'Answer it.']],
    [answersTo('c2', [{ question_id: 'q', option_ids: [] }]), undefined],
    [answersTo('c1'), undefined],
    [answersTo('c3'), undefined],
  ])('are checked: %j', (decisions, error) => {
    expect(errorOf(decisions)).toEqual(error);
  });

  it('check an edited plan against its tools', async () => {
    const talk = conversation([propose(tagStep)]);
    const result = await talk.start();
    if (!('pending' in result)) throw new Error('The plan is not pending.');
    const [{ id: call_id }] = result.pending.batch.calls as [ProposedCall];
    const { documentAgentTools } = await import('../document-agent/tools/index.ts');
    const check = (args: object) =>
      checkDecisions(documentAgentTools, result.pending, {
        approvals: [
          { call_id, approved: true, steps: [{ id: 'tag', approved: true, arguments: JSON.stringify(args) }] },
        ],
        answers: [],
      });
    check({ name: 'Other' });
    expect(() => check({ name: 5 })).toThrow(
      expect.objectContaining({ kind: 'unprocessable', code: 'invalid_plan', message: expect.stringContaining('tag') }),
    );
  });
});

describe('the provenance of arguments', () => {
  const known: CallProvenance = {
    provenance: { name: ['document'], 'name.first': ['document'], color: ['model'] },
    passages: [{ path: 'name.first', page_num: 1, quote: 'q' }] as never,
    chosenByDocument: ['name'],
  };
  it('is emitted, stored and used for decisions without its empty parts', () => {
    const { provenance, passages, chosenByDocument } = known;
    const emitted = { provenance, passages, chosen_by_document: chosenByDocument };
    expect(emittedProvenance(known)).toStrictEqual(emitted);
    expect(emittedProvenance({ provenance, passages: [], chosenByDocument: [] })).toStrictEqual({ provenance });
    expect(emittedProvenance(undefined)).toStrictEqual({});
    expect(storedProvenance(emitted as unknown as ToolCall)).toStrictEqual(known);
    expect(storedProvenance({ provenance } as unknown as ToolCall)).toStrictEqual({
      provenance,
      passages: [],
      chosenByDocument: [],
    });
    expect(storedProvenance({} as ToolCall)).toBeUndefined();
    expect(provenanceFor(known)).toStrictEqual({ provenance, chosenByDocument });
    expect(provenanceFor({ ...known, chosenByDocument: [] })).toStrictEqual({ provenance });
    expect(provenanceFor(undefined)).toStrictEqual({});
  });

  it('becomes the user for edited arguments, and stays the same for the others', () => {
    const before = { name: { first: 'A' }, color: 'red' };
    expect(editedProvenance(known, before, { ...before, color: 'blue', note: 'n' })).toStrictEqual({
      provenance: { name: ['document'], 'name.first': ['document'], color: ['person'], note: ['person'] },
      passages: known.passages,
      chosenByDocument: ['name'],
    });
    expect(editedProvenance(known, before, { ...before, name: { first: 'B' } })).toStrictEqual({
      provenance: { color: ['model'], name: ['person'] },
      passages: [],
      chosenByDocument: [],
    });
    expect(editedProvenance(undefined, before, before)).toBeUndefined();
  });
});

describe('a call that runs', () => {
  const makeContext: MakeContext<null> = (given) =>
    ({
      origin: { call_id: 'c1' },
      signal: new AbortController().signal,
      services: null,
      ...given,
    }) as ToolContext<null>;
  const run = async (
    over: object,
    permission: CallPermission,
    verdict?: Parameters<typeof callTool>[1],
    more?: Parameters<typeof callTool>[5],
  ) => {
    const requests: object[] = [];
    const tool = defineTool({
      name: 'do',
      description: 'Does.',
      effect: 'write',
      target: 'subject',
      argumentRoles: {},
      parameters: z.object({}),
      execute: async ({ isApproved, answers }: ToolContext<null>) => ({ isApproved, answers }),
      ...over,
    });
    const decide = (request: object) => {
      requests.push(request);
      return permission;
    };
    const outcome = await callTool(
      { tool, args: {}, arguments: '{}' },
      verdict,
      decide,
      makeContext,
      async () => undefined,
      more,
    );
    return { outcome, request: requests[0] };
  };
  const allow = { effect: 'allow' } as const;
  const ask = { effect: 'ask' } as const;
  const unapproved = 'This call needs an approval that it did not get.';
  const guard = (reason: () => Promise<string | undefined>) => ({ guard: { argument: 'a', reason } });

  it('passes approval and answers to its tool, and fails without the approval that it needs', async () => {
    const resultOf = async (...args: Parameters<typeof run>) => {
      const { outcome } = await run(...args);
      return outcome.success ? outcome.result : outcome.error;
    };
    expect(await resultOf({}, allow)).toEqual({});
    expect(await resultOf({}, allow, { approved: true })).toEqual({ isApproved: true });
    expect(await resultOf({}, ask)).toBe(unapproved);
    expect(await resultOf({}, ask, undefined, { isGranted: true })).toEqual({ isApproved: true });
    expect(await resultOf({ awaitsAnswers: true }, allow)).toBe(unapproved);
    expect(await resultOf({ awaitsAnswers: true }, allow, { approved: true })).toBe(unapproved);
    expect(await resultOf({ awaitsAnswers: true }, allow, { approved: true, answers: [] })).toEqual({
      isApproved: true,
      answers: [],
    });
  });

  it('names the guarded values in the permission request, and counts as approved if a rule allows it', async () => {
    const verified = guard(async () => 'result_verified');
    const covered = await run(verified, allow);
    expect(covered.request).toMatchObject({ needsRuleOn: 'a', guardReason: 'result_verified' });
    expect(covered.outcome).toMatchObject({ result: { isApproved: true } });
    expect((await run(verified, ask, undefined, { isGranted: true })).outcome).toMatchObject({ success: true });
    const free = await run(
      guard(async () => undefined),
      allow,
    );
    expect(free.request).not.toHaveProperty('needsRuleOn');
    expect(free.outcome).toMatchObject({ result: { isApproved: undefined } });
    const missing = guard(() => Promise.reject(new DomainError('not_found', 'gone', 'Gone.')));
    expect((await run(missing, allow)).request).not.toHaveProperty('needsRuleOn');
    await expect(
      run(
        guard(() => Promise.reject(new TypeError('broken'))),
        allow,
      ),
    ).rejects.toThrow('broken');
  });

  it.each([
    [{ error: 'No.' }, { content: '{"error":"No."}', success: false, error: 'No.' }],
    [{ error: 5 }, { content: '{"error":5}', success: true, result: { error: 5 } }],
    ['error', { content: '"error"', success: true, result: 'error' }],
    [null, { content: 'null', success: true, result: null }],
    [undefined, { content: 'null', success: true, result: null }],
  ])('converts the result %j', async (result, outcome) => {
    expect((await run({ execute: async () => result }, allow)).outcome).toStrictEqual({
      ...outcome,
      permission: allow,
    });
  });

  it('returns the permission of a call that did not get its approval', async () => {
    expect((await run({}, ask)).outcome).toEqual({
      content: JSON.stringify({ error: unapproved }),
      success: false,
      error: unapproved,
      permission: ask,
    });
  });
});
