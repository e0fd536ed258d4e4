import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { decideCall } from '../permissions/decide-call.ts';
import type { PermissionRequest, DecidingRule, TurnPermissions } from '../permissions/permission.ts';
import { coversCall, type ApprovedStep } from '../testing/reference-grant.ts';
import { referenceDecision } from '../testing/reference-decision.ts';
import { approvedPlan, grantFor, heldGrant, settleGrant, takeGrant } from './grants.ts';
import { needsOf } from './plan-steps.ts';

/**
 * Generated plans, calls and rules, decided as the loop decides them. `generated-turns.test.ts` runs whole turns.
 * DOCWRIGHT_GENERATED_PLANS sets the number of plans; each is tried with up to three rules and eight calls.
 */
const plans = Number(process.env['DOCWRIGHT_GENERATED_PLANS'] ?? 3_000);

const parameters = z.object({ target: z.string(), text: z.string().optional() }).strict();
const tools = { get: () => ({ parameters }) } as unknown as Parameters<typeof grantFor>[1];
const sources = ['person', 'catalog', 'document', 'model'] as const;
const values = ['a', 'b', 'cc', 'ddd'];
const turn: TurnPermissions = {
  role: 'member',
  threadId: 't',
  documentId: 'd',
  autoApprove: false,
  autoApprovedTools: [],
};

/** Plans, calls and rules are derived from plain numbers, which is fast enough for a million plans. */
const generated = fc.record({
  plan: fc.array(fc.nat(0x7fffffff), { minLength: 1, maxLength: 5 }),
  calls: fc.array(fc.nat(0x7fffffff), { minLength: 1, maxLength: 8 }),
  rules: fc.array(fc.nat(0x7fffffff), { maxLength: 3 }),
  autoApprove: fc.boolean(),
});

/** Takes small numbers out of a large one. */
function digits(from: number): (below: number) => number {
  let rest = from;
  return (below) => {
    const taken = rest % below;
    rest = Math.floor(rest / below);
    return taken;
  };
}

function stepFrom(number: number, at: number): ApprovedStep {
  const next = digits(number);
  const place = (): unknown => {
    const kind = next(4);
    if (kind === 2) return { $model: 'json', max_length: 1 + next(3) };
    return kind === 3 && at > 0 ? { $from: `s${next(at)}`, path: 'made' } : values[next(4)];
  };
  const args = { target: place(), ...(next(2) === 0 && { text: place() }) };
  return { id: `s${at}`, tool: next(2) === 0 ? 'change' : 'remove', arguments: args };
}

function ruleFrom(number: number, at: number): DecidingRule {
  const next = digits(number);
  const path = ['target', 'text'][next(2)]!;
  const when = [undefined, { path, equals: values[next(4)]! }, { provenance: { path, from: sources[next(4)]! } }][
    next(3)
  ];
  return {
    id: `r${at}`,
    tool: ['change', 'remove', '*'][next(3)]!,
    effect: (['allow', 'allow', 'ask', 'deny'] as const)[next(4)]!,
    scope: 'organization',
    ...(when && { when }),
  };
}

it(`runs only calls that a grant, a rule or a user covers, and uses no grant twice (${plans} plans)`, () => {
  const seen = { plans: 0, calls: 0, rules: 0, granted: 0, allowed: 0, asked: 0, denied: 0 };
  fc.assert(
    fc.property(generated, ({ plan: numbers, calls, rules: ruleNumbers, autoApprove }) => {
      const steps = numbers.map(stepFrom);
      const rules = ruleNumbers.map(ruleFrom);
      let plan = approvedPlan('p', { title: 't', steps: steps.map((step) => ({ ...step, why: '' })) }, 'u', () => ({}));
      const results = new Map<string, { made: string }>();
      const stepOf = new Map<string, string>();
      const used = new Set<string>();
      let hasEnded = false;
      seen.plans += 1;
      seen.rules += rules.length;
      for (const [at, number] of calls.entries()) {
        const next = digits(number);
        const followed = steps[next(steps.length)]!;
        const fill = (each: unknown): string => {
          if (typeof each === 'string') return each;
          const from = (each as { $from?: string }).$from;
          return from !== undefined && next(3) > 0 ? (results.get(from)?.made ?? 'a') : values[next(4)]!;
        };
        const exact = Object.fromEntries(Object.entries(followed.arguments).map(([key, each]) => [key, fill(each)]));
        const args: Record<string, unknown> = next(4) === 0 ? { ...exact, text: values[next(4)] } : exact;
        const label = sources[next(4)]!;
        const chosenByDocument = label === 'document' ? ['target'] : [];
        const asked: PermissionRequest = {
          tool: next(5) === 0 ? 'remove' : followed.tool,
          effect: 'read_write',
          args,
          provenance: Object.fromEntries(Object.keys(args).map((key) => [key, [label]])),
          ...(chosenByDocument.length > 0 && { chosenByDocument }),
        };
        const isApproved = next(5) === 0;
        const success = next(4) > 0;
        const callId = `c${at}`;
        seen.calls += 1;

        // The decision of the loop.
        const { effect } = decideCall(rules, asked, { ...turn, autoApprove }, () => false);
        const grant =
          effect === 'deny'
            ? undefined
            : grantFor(plan, tools, { ...asked, chosenByDocument }, (id) => results.get(stepOf.get(id) ?? ''));
        if (grant) plan = takeGrant(plan, grant.step.id, callId);
        const isGranted = heldGrant(plan, callId) !== undefined;
        const runs = effect !== 'deny' && (effect === 'allow' || isGranted || isApproved);
        if (!runs) {
          seen[effect === 'deny' ? 'denied' : 'asked'] += 1;
          continue;
        }

        // The decision of the reference implementation.
        const reference = referenceDecision(rules, asked, { ...turn, autoApprove });
        expect(reference).not.toBe('deny');
        if (grant) {
          expect(used.has(grant.step.id) || hasEnded).toBe(false);
          used.add(grant.step.id);
          const approvedStep = steps.find(({ id }) => id === grant.step.id)!;
          expect(
            coversCall(approvedStep, { tool: asked.tool, args }, (id) => results.get(id)?.made, chosenByDocument),
          ).toBe(true);
          seen.granted += 1;
        } else if (!isApproved) {
          expect(reference).toBe('allow');
          expect(chosenByDocument).toEqual([]);
          seen.allowed += 1;
        }

        if (grant) {
          stepOf.set(callId, grant.step.id);
          if (success) results.set(grant.step.id, { made: String(args['target']) });
          plan = settleGrant(plan, callId, success);
          hasEnded ||= !success && steps.some((step) => needsOf(step).includes(grant.step.id));
        }
      }
    }),
    { numRuns: plans },
  );
  if (process.env['DOCWRIGHT_GENERATED_PLANS']) console.log(JSON.stringify(seen));
  expect(Math.min(seen.granted, seen.allowed, seen.asked, seen.denied)).toBeGreaterThan(plans / 100);
}, 7_200_000);
