import type { CallDecision, TurnEvent } from '@docwright/contract';
import type { DocumentAgentServices } from '../document-agent/context/services.ts';
import { createDocumentAgentProfile } from '../document-agent/profile.ts';
import type { CallRecord } from '../loop/call-record.ts';
import type { RunTurnInput } from '../loop/run-turn.ts';
import { decideCall } from '../permissions/decide-call.ts';
import type { DecidingRule, TurnPermissions } from '../permissions/permission.ts';
import { createInMemoryDocumentServices } from './in-memory-document-services.ts';
import { drain, pendingOf } from './practice-turn.ts';
import { historyIn, scriptedLlm, type ScriptedStep } from './scripted-llm.ts';

export const owner = { organizationId: 'a'.repeat(24), documentId: 'b'.repeat(24), userId: 'c'.repeat(24) };
export const format = {
  type: 'json_schema',
  json_schema: {
    name: 'note',
    strict: true,
    schema: {
      type: 'object',
      properties: { total: { type: 'string' } },
      required: ['total'],
      additionalProperties: false,
    },
  },
};
export const schemaStep = { id: 'schema', tool: 'create_schema', arguments: { name: 'Note', response_format: format } };
export const promptStep = {
  id: 'prompt',
  tool: 'create_prompt',
  arguments: {
    name: 'Note',
    content: { $model: 'json', max_length: 40 },
    schema_id: { $from: 'schema', path: 'schema_id' },
  },
};
export const tagStep = { id: 'tag', tool: 'create_tag', arguments: { name: 'Freight' } };
export const extractStep = { id: 'run', tool: 'run_extraction', arguments: {} };
export const propose = (...steps: object[]): ScriptedStep => ({
  calls: [{ name: 'propose_plan', args: { title: 'Set up notes', steps } }],
});
export const call = (name: string, args: Record<string, unknown> = {}): ScriptedStep => ({ calls: [{ name, args }] });
/** A step that uses an id from the last tool result that has it. */
export const lastResult =
  (key: string, then: (id: string) => ScriptedStep): ScriptedStep =>
  (request) => {
    const results = historyIn(request).flatMap((message) => (message.role === 'tool' ? [message.content] : []));
    const found = results
      .map((text) => (text.startsWith('{') ? JSON.parse(text) : {})[key])
      .findLast((id) => typeof id === 'string');
    return then(found as string);
  };

interface PlanWorld {
  rules?: DecidingRule[];
  turn?: Partial<TurnPermissions>;
  pages?: string[];
  message?: string;
  /** The ids of tags of the organization. The first is on the document, if `isTagged`. */
  tags?: string[];
  isTagged?: boolean;
  /** Called with records before their calls run. */
  onRecords?: (added: readonly CallRecord[]) => Promise<void>;
}

/** A conversation on a new document, whose pauses the test decides one by one. */
export function conversation(
  steps: ScriptedStep[],
  {
    rules = [],
    turn,
    pages = ['Kestrel Freight'],
    message = 'Set it up',
    tags = [],
    isTagged = false,
    onRecords,
  }: PlanWorld = {},
) {
  const services = createInMemoryDocumentServices({ pages });
  services.store.tags.push(
    ...tags.map((tag_id, at) => ({
      tag_id,
      name: `tag-${at}`,
      color: '#112233',
      description: '',
      created_at: '2026-01-01T00:00:00.000Z',
      created_by: owner.userId,
    })),
  );
  if (isTagged) services.store.documents[0]!.tag_ids = tags.slice(0, 1);
  const settings = { autoApprove: false, autoApprovedTools: [], ...turn, model: 'm', mentions: [] };
  const records: CallRecord[] = [];
  const events: TurnEvent[] = [];
  const llm = scriptedLlm([...steps, { text: 'Done.' }]);
  const permissions = { rules };
  const input: RunTurnInput<DocumentAgentServices> = {
    profile: createDocumentAgentProfile({ maxRounds: 30, timeoutMs: 10_000 }),
    llm,
    services,
    decide: (asked) =>
      decideCall(
        permissions.rules,
        asked,
        { role: 'member', threadId: 't', documentId: owner.documentId, ...settings },
        () => false,
      ),
    async recordCalls(added) {
      records.push(...added);
      await onRecords?.(added);
    },
    signal: new AbortController().signal,
    turn: {
      turnId: 'd'.repeat(24),
      threadId: 'e'.repeat(24),
      owner,
      settings,
      messages: [{ role: 'user', content: message }],
      workingState: { schema_revid: null, prompt_revid: null, extraction: null },
    },
  };
  let result: Awaited<ReturnType<typeof drain>>['result'];
  const take = (drained: Awaited<ReturnType<typeof drain>>) => {
    events.push(...drained.events);
    result = drained.result;
    return result;
  };
  return {
    services,
    records,
    events,
    llm,
    permissions,
    start: async () => take(await drain(input)),
    /** Decides all pending calls and resumes the turn from its stored form. */
    async decide(decision: Omit<CallDecision, 'call_id'>) {
      const pending = pendingOf(result);
      const waiting = pending.batch.calls.filter(({ needs_approval }) => needs_approval);
      const approvals = waiting.map(({ id }) => ({ ...decision, call_id: id }));
      return take(await drain({ ...input, turn: { pending, approvals, answers: [] } }));
    },
    waiting: () =>
      'pending' in result ? pendingOf(result).batch.calls.filter(({ needs_approval }) => needs_approval) : [],
    calls: () => result.executedRounds.flatMap(({ tool_calls }) => tool_calls),
    states: () => events.flatMap((event) => (event.type === 'plan_step' ? [`${event.id} ${event.state}`] : [])),
  };
}
