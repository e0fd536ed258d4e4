import type { CallDecision } from '@docwright/contract';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { decideCall } from '../permissions/decide-call.ts';
import type { PermissionRequest, Decide, DecidingRule, MatchText, TurnPermissions } from '../permissions/permission.ts';
import { generatePermissions } from '../testing/generated-permissions.ts';
import { drain, pendingOf, practiceInput, type Notebook } from '../testing/practice-turn.ts';
import { referenceDecision } from '../testing/reference-decision.ts';
import { scriptedLlm, type ScriptedCall } from '../testing/scripted-llm.ts';
import { defineTool, emittedEffect, type Effect, type ToolContext } from '../tool/tool.ts';
import { createToolset } from '../tool/toolset.ts';
import type { CallRecord } from './call-record.ts';
import type { RunTurnInput } from './run-turn.ts';

const matchText: MatchText = (pattern, text) => new RegExp(pattern, 'u').test(text);
const here = 'a'.repeat(24);

/** A call that ran, with its arguments and the rules at that moment. */
interface Run {
  callId: string;
  call: PermissionRequest;
  rules: readonly DecidingRule[];
}

interface World extends Notebook {
  rules: readonly DecidingRule[];
  readonly runs: Run[];
}

const argumentRoles = { text: 'content', meta: 'content', list: 'content' } as const;

function toolCalled(name: string, effect: Effect) {
  const tool = defineTool({
    name,
    description: 'Does something.',
    effect: 'write',
    target: 'document_id',
    argumentRoles,
    parameters: z.object({
      text: z.unknown().optional(),
      meta: z.record(z.string(), z.unknown()).optional(),
      list: z.array(z.unknown()).optional(),
      document_id: z.string().toLowerCase().optional(),
    }),
    implied: () => ({ document_id: here }),
    execute: async ({ services, origin }: ToolContext<World>, args) => {
      const seen = { document_id: here, ...args };
      services.runs.push({
        callId: origin.call_id,
        call: { tool: name, effect: emittedEffect(effect), args: seen },
        rules: services.rules,
      });
      return { done: true };
    },
  });
  return { ...tool, effect };
}

const tools = createToolset<World>([
  toolCalled('read_note', 'read'),
  toolCalled('write_note', 'write'),
  toolCalled('delete_note', 'delete'),
]);

/** Arguments that try to bypass a rule: duplicate keys, escapes, upper-case ids, unknown arguments. */
function disguised(generated: ReturnType<typeof generatePermissions>): string {
  const { oneOf, maybe, value, record } = generated;
  if (maybe(12)) return oneOf(['{"text":', '[]', '', 'null', '{"text":"x"}{"text":"y"}']);
  const pairs = [
    ['text', value()],
    ['text', value()],
    ['meta', record()],
    ['list', [value(), value()]],
    ['document_id', oneOf([here, here.toUpperCase(), 'B'.repeat(24)])],
    ['unasked', value()],
    ['__proto__', record()],
  ].filter(() => maybe(2));
  const escaped = (text: string) => text.replaceAll('e', '\\u0065');
  return `{${pairs.map(([key, inner]) => `${JSON.stringify(key)}:${escaped(JSON.stringify(inner))}`).join(', ')}}`;
}

async function generatedTurn(seed: number): Promise<{ world: World; turn: TurnPermissions; approved: Set<string> }> {
  const generated = generatePermissions(seed);
  const { below, oneOf, maybe } = generated;
  const world: World = { ran: [], runs: [], rules: generated.rules() };
  const turn = generated.turn();
  const approved = new Set<string>();
  const decide: Decide = async (call) => decideCall(world.rules, call, turn, matchText);
  const records: CallRecord[] = [];
  const recordCalls = async (added: readonly CallRecord[]) => void records.push(...added);
  const calls = Array.from({ length: 1 + below(4) }, (): ScriptedCall => ({
    name: oneOf(['read_note', 'write_note', 'delete_note']),
    arguments: disguised(generated),
  }));
  const plain = practiceInput(scriptedLlm([{ calls }, { text: 'Done.' }]), world);
  const profile = {
    name: 'practice',
    tools,
    limits: { maxRounds: 10, timeoutMs: 60_000 },
    buildSystemPrompt: async () => '',
  };
  const input: RunTurnInput<World> = { ...plain, profile, services: world, decide, recordCalls };

  let { result } = await drain(input);
  while ('pending' in result) {
    const pending = pendingOf(result);
    // A rule that is added while the turn is pending.
    if (maybe(2)) world.rules = [...world.rules, generated.rule(oneOf(['deny', 'ask', 'allow']))];
    const approvals = pending.batch.calls.flatMap(({ id }): CallDecision[] => {
      if (maybe(5)) return [];
      const isApproved = !maybe(5);
      if (isApproved) approved.add(id);
      return [{ call_id: id, approved: isApproved, ...(maybe(3) && { arguments: disguised(generated) }) }];
    });
    ({ result } = await drain({ ...input, turn: { pending, approvals, answers: [] } }));
  }
  checkRecords(records, world);
  return { world, turn, approved };
}

/** Checks that every call that ran was decided before, and is recorded with the arguments that ran. */
function checkRecords(records: readonly CallRecord[], { runs }: World): void {
  for (const { callId, call } of runs) {
    const steps = records.filter((record) => record.callId === callId);
    expect(steps.map(({ kind }) => kind)).toEqual(['proposed', 'decided', 'executed']);
    expect(steps[2]).toMatchObject({ success: true, arguments: JSON.stringify(call.args) });
  }
}

it('no call bypasses a deny rule, or an ask rule without an approval, and allowed calls run', async () => {
  const seen = { ran: 0, approved: 0, autoApproved: 0 };
  for (let seed = 0; seed < 4_000; seed++) {
    const { world, turn, approved } = await generatedTurn(seed);
    for (const { callId, call, rules } of world.runs) {
      const decision = referenceDecision(rules, call, turn);
      const isAllowed = decision === 'allow' || (decision === 'ask' && approved.has(callId));
      if (!isAllowed)
        throw new Error(`seed ${seed}: ${decision}, but it ran: ${JSON.stringify({ call, rules, turn })}`);
      seen.ran++;
      if (decision === 'ask') seen.approved++;
      if (decision === 'allow' && call.effect === 'read_write') seen.autoApproved++;
    }
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(100);
}, 60_000);
