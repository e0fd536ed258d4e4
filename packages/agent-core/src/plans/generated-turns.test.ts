import type { CallDecision } from '@docwright/contract';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { decideCall } from '../permissions/decide-call.ts';
import type { DecidingRule, TurnPermissions } from '../permissions/permission.ts';
import { drain, pendingOf, practiceInput, type Notebook } from '../testing/practice-turn.ts';
import { referenceDecision } from '../testing/reference-decision.ts';
import { scriptedLlm, type ScriptedCall } from '../testing/scripted-llm.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { createToolset, type Toolset } from '../tool/toolset.ts';
import { createProposePlan } from './propose-plan.ts';
import { coversCall, type ApprovedStep as Step, type RunCall } from '../testing/reference-grant.ts';

/**
 * Generated plans, calls and rules: only calls that a grant, a rule or a user covers run, and no grant is used twice.
 * DOCWRIGHT_GENERATED_TURNS sets the number of turns. Each has a plan of up to four steps, up to nine calls, up to three
 * rules and the decisions of a user.
 */
const turns = Number(process.env['DOCWRIGHT_GENERATED_TURNS'] ?? 200);

interface World extends Notebook {
  readonly writes: (RunCall & { callId: string })[];
  /** Changes when another user changes the targets: calls that rest on the old version are stale. */
  version: number;
}

const document = 'keep the archive and drop secret';
const values = ['a', 'b', 'secret', 'archive'] as const;

const write = (name: 'change' | 'remove') =>
  defineTool({
    name,
    description: 'Writes.',
    effect: 'write',
    target: 'target',
    argumentRoles: { text: 'content' },
    parameters: z.object({ target: z.string(), text: z.string().optional() }),
    baseline: async ({ services }: ToolContext<World>, { target }) => [
      { thing: target, name: target, state: { version: String(services.version) } },
    ],
    execute: async ({ services, origin }: ToolContext<World>, args) => {
      services.writes.push({ callId: origin.call_id, tool: name, args });
      return args.text === 'b' ? { error: 'It failed.' } : { made: args.target, text: args.text ?? null };
    },
  });

const tools: Toolset<World> = createToolset<World>([
  write('change'),
  write('remove'),
  createProposePlan<World>(() => tools),
]);

const value = fc.constantFrom(...values);
const toolName = fc.constantFrom('change', 'remove');
const args = fc.record({ target: value, text: value }, { requiredKeys: ['target'] });
const rule = fc.record({
  tool: fc.constantFrom('change', 'remove', '*', 'propose_*'),
  effect: fc.constantFrom('allow', 'ask', 'deny'),
  when: fc.option(
    fc.oneof(
      fc.record({ path: fc.constantFrom('target', 'text'), equals: value }),
      fc.record({
        provenance: fc.record({
          path: fc.constantFrom('target', 'text'),
          from: fc.constantFrom('person', 'catalog', 'document', 'model'),
        }),
      }),
    ),
    { nil: undefined },
  ),
});
/** An argument of a step: a literal value, a slot for the model, or the result of an earlier step. */
const place = fc.oneof(
  value,
  fc.record({ max: fc.integer({ min: 1, max: 7 }) }),
  fc.record({ back: fc.integer({ min: 1, max: 3 }) }),
);
const step = fc.record({ tool: toolName, target: place, text: fc.option(place, { nil: undefined }) });
/** A call that follows the step of that index, or any call. */
const call = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.nat(3),
      fill: value,
      other: fc.option(value, { nil: undefined, freq: 6 }),
      byId: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ tool: toolName, args }) },
);
const generated = fc.record({
  rules: fc.array(rule, { maxLength: 3 }),
  plan: fc.array(step, { minLength: 1, maxLength: 4 }),
  answers: fc.array(fc.array(call, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
  approvals: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 12, maxLength: 12 }),
  struck: fc.option(fc.nat(3), { nil: undefined }),
  edited: fc.option(fc.record({ at: fc.nat(3), args }), { nil: undefined }),
  autoApprove: fc.integer({ min: 0, max: 5 }).map((each) => each === 0),
  said: fc.constantFrom('Go on', 'Drop the archive'),
  /** The index of the answer before which another user changes the targets. */
  changed: fc.option(fc.nat(3), { nil: undefined }),
  later: fc.option(rule, { nil: undefined }),
});
type Generated = typeof generated extends fc.Arbitrary<infer Value> ? Value : never;

function planOf({ plan }: Generated): Step[] {
  return plan.map(({ tool, target, text }, at) => {
    const written = (each: typeof target): unknown => {
      if (typeof each === 'string') return each;
      if ('max' in each) return { $model: 'json', max_length: each.max };
      return each.back > at ? values[each.back % 4] : { $from: `s${at - each.back}`, path: 'made' };
    };
    return {
      id: `s${at}`,
      tool,
      arguments: { target: written(target), ...(text !== undefined && { text: written(text) }) },
    };
  });
}

/** The arguments of a call that follows a step, with its slots filled. */
function filled(
  args: Record<string, unknown>,
  fill: string,
  results: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([key, each]) => {
      if (typeof each === 'string') return [key, each];
      return [key, '$from' in (each as object) ? (results.get((each as { $from: string }).$from) ?? fill) : fill];
    }),
  );
}

async function turnOf(given: Generated) {
  const world: World = { ran: [], writes: [], version: 0 };
  const permissions: TurnPermissions = {
    role: 'member',
    threadId: 't',
    documentId: 'd',
    autoApprove: given.autoApprove,
    autoApprovedTools: [],
  };
  let rules: DecidingRule[] = given.rules.map((each, at) => ({
    ...each,
    id: `r${at}`,
    scope: 'organization' as const,
    when: each.when,
  }));
  const steps = planOf(given);
  const results = new Map<string, unknown>();
  const decisions = new Map<string, { reference: string; rules: DecidingRule[]; chosen: readonly string[] }>();
  const follow = (each: Generated['answers'][number][number]): ScriptedCall => {
    if ('tool' in each) return { name: each.tool, args: each.args };
    const wanted = steps[each.step % steps.length]!;
    if (each.byId) {
      const open = Object.entries(wanted.arguments).flatMap(([key, written]) =>
        typeof written === 'object' && written !== null && '$model' in written ? [[key, each.fill] as const] : [],
      );
      const given = { ...Object.fromEntries(open), ...(each.other !== undefined && { text: each.other }) };
      return { name: wanted.tool, args: { step_id: wanted.id, ...given } };
    }
    const followed = filled(wanted.arguments, each.fill, results);
    return { name: wanted.tool, args: { ...followed, ...(each.other !== undefined && { text: each.other }) } };
  };
  const llm = scriptedLlm([
    { calls: [{ name: 'propose_plan', args: { title: 'Plan', steps } }] },
    ...given.answers.map((calls, at) => () => {
      if (given.changed === at) world.version += 1;
      return { calls: calls.map(follow) };
    }),
    { text: 'Done.' },
  ]);
  const input = {
    ...practiceInput(llm, world),
    profile: {
      name: 'plans',
      tools,
      limits: { maxRounds: 10, timeoutMs: 600_000 },
      buildSystemPrompt: async () => '',
      givenContent: async () => ({
        mentioned: [],
        known: [],
        workingIds: [],
        documentTexts: [{ text: document, place: { found_in: 'page' as const, page_num: 1 } }],
      }),
    },
    services: world,
    decide: (asked: Parameters<typeof decideCall>[1]) => {
      const reference = referenceDecision(rules, asked, permissions);
      const decided = decideCall(rules, asked, permissions, (pattern, text) => text.includes(pattern));
      if (asked.origin) {
        decisions.set(asked.origin.call_id, { reference, rules, chosen: asked.chosenByDocument ?? [] });
      }
      return decided;
    },
  };
  const plain = {
    ...input,
    turn: { ...input.turn, messages: [{ role: 'user' as const, content: given.said }] },
  } as typeof input;
  const approved = new Set<string>();
  const plans: { id: string; steps: Step[] }[] = [];
  let { result, events } = await drain(plain);
  const collect = (emitted: typeof events) => {
    for (const event of emitted) {
      if (event.type === 'tool_result' && event.success) {
        const made = result.executedRounds
          .flatMap(({ tool_calls }) => tool_calls)
          .find(({ id }) => id === event.call_id);
        if (made?.plan) results.set(made.plan.step_id, (event.result as { made?: unknown }).made);
      }
    }
  };
  for (let at = 0; 'pending' in result; at += 1) {
    const pending = pendingOf(result);
    const approvals = pending.batch.calls.flatMap((waiting, index): CallDecision[] => {
      const said = given.approvals[(at + index) % given.approvals.length]!;
      if (waiting.name !== 'propose_plan') {
        if (said === 0) approved.add(waiting.id);
        return [{ call_id: waiting.id, approved: said === 0 }];
      }
      const struck = given.struck === undefined ? undefined : steps[given.struck % steps.length];
      const edited = given.edited && steps[given.edited.at % steps.length];
      const said_of = [
        ...(struck ? [{ id: struck.id, approved: false }] : []),
        ...(edited && edited !== struck
          ? [{ id: edited.id, approved: true, arguments: JSON.stringify(given.edited!.args) }]
          : []),
      ];
      return [{ call_id: waiting.id, approved: said !== 1, ...(said_of.length > 0 && { steps: said_of }) }];
    });
    if (at === 1 && given.later) rules = [...rules, { ...given.later, id: 'later', scope: 'organization' }];
    try {
      ({ result, events } = await drain({ ...plain, turn: { pending, approvals, answers: [] } }));
    } catch (error) {
      // No step is left, or a step needs a removed one: the user gets an error and rejects the plan.
      if (!(error instanceof Error) || !/plan is left|was removed/.test(error.message)) throw error;
      const rejected = approvals.map(({ call_id }) => ({ call_id, approved: false }));
      ({ result, events } = await drain({ ...plain, turn: { pending, approvals: rejected, answers: [] } }));
    }
    collect(events);
    const proposals = result.executedRounds
      .flatMap(({ tool_calls }) => tool_calls)
      .filter(({ name, success }) => name === 'propose_plan' && success);
    for (const { id, arguments: text } of proposals) {
      if (plans.every((each) => each.id !== id) && approvals.some((each) => each.call_id === id && each.approved)) {
        plans.push({ id, steps: (JSON.parse(text) as { steps: Step[] }).steps });
      }
    }
  }
  return { world, result, decisions, approved, plans };
}

it(`covers every call that runs, and uses no grant twice (${turns} turns)`, async () => {
  const seen = { granted: 0, allowed: 0, approved: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(generated, async (given) => {
      const { world, result, decisions, approved, plans } = await turnOf(given);
      const calls = result.executedRounds.flatMap(({ tool_calls }) => tool_calls);
      const made = (plan: string) => (stepId: string) =>
        (
          calls.find((each) => each.plan?.plan_id === plan && each.plan.step_id === stepId)?.result as
            | { made?: unknown }
            | undefined
        )?.made;
      const used = new Set<string>();
      seen.refused += calls.length - world.writes.length;
      for (const ran of world.writes) {
        const { reference, chosen } = decisions.get(ran.callId)!;
        expect(reference).not.toBe('deny');
        const executed = calls.find(({ id }) => id === ran.callId)!;
        const reference_to = executed.plan;
        if (reference_to !== undefined) {
          const key = `${reference_to.plan_id} ${reference_to.step_id}`;
          expect(used.has(key)).toBe(false);
          used.add(key);
          const wanted = plans
            .find(({ id }) => id === reference_to.plan_id)
            ?.steps.find(({ id }) => id === reference_to.step_id);
          expect(wanted && coversCall(wanted, ran, made(reference_to.plan_id), chosen)).toBe(true);
          seen.granted += 1;
        } else if (approved.has(ran.callId)) seen.approved += 1;
        else {
          expect(reference).toBe('allow');
          expect(chosen).toEqual([]);
          seen.allowed += 1;
        }
      }
    }),
    {
      numRuns: turns,
      ...(process.env['DOCWRIGHT_GENERATED_SEED'] && { seed: Number(process.env['DOCWRIGHT_GENERATED_SEED']) }),
    },
  );
  if (process.env['DOCWRIGHT_GENERATED_TURNS']) console.log(`${turns} turns: ${JSON.stringify(seen)}`);
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(turns / 100);
}, 7_200_000);
