import {
  matchesTool,
  ruleMatches,
  type PermissionRequest,
  type DecidingRule,
  type MatchText,
} from '@docwright/agent-core';
import type { AuditEntry, CreatePermissionRuleBody, PermissionEffect, SimulationAnswer } from '@docwright/contract';
import type { AuditRepository } from '../audit/index.ts';
import type { Actor } from '../identity/index.ts';
import type { PermissionRuleService } from './permission-rule-service.ts';
import type { TextMatchers } from './text-matcher.ts';

interface SimulationDependencies {
  rulesFor: (actor: Actor) => Pick<PermissionRuleService, 'check'>;
  auditOf: (organizationId: string) => Pick<AuditRepository, 'list'>;
  matchers: Pick<TextMatchers, 'forSimulation'>;
}

/** Compares a new rule with past calls, as far as the user can see them in the audit log. */
export type SimulateRule = (actor: Actor, rule: CreatePermissionRuleBody) => Promise<SimulationAnswer>;

const maxExaminedCalls = 1_000;
const maxListedCalls = 100;

export function createSimulation({ rulesFor, auditOf, matchers }: SimulationDependencies): SimulateRule {
  return async (actor, body) => {
    await rulesFor(actor).check(body);
    const rule = { id: '', ...body };
    const includesAllUsers = body.scope === 'organization' && actor.role === 'admin';
    const filter = {
      kind: 'proposed' as const,
      ...(!includesAllUsers && { actor: actor.userId }),
      thread_id: body.thread_id,
    };
    const { entries, total_count } = await auditOf(actor.organizationId).list(filter, {
      skip: 0,
      limit: maxExaminedCalls,
    });
    const matcher = matchers.forSimulation();
    const calls: SimulationAnswer['calls'] = [];
    let examined = 0;
    let undecidable = 0;
    for (const entry of entries) {
      const before = effectOf(entry);
      if (before === undefined) continue;
      if (matcher.isSpent() || calls.length === maxListedCalls) break;
      examined++;
      // The outcome of a measurement is unknown.
      const needsEvidence = body.when !== undefined && 'evaluation' in body.when && matchesTool(body.tool, entry.tool);
      // Older entries lack the provenance of their arguments.
      const needsLabels = body.when !== undefined && 'provenance' in body.when && entry.provenance === undefined;
      if ((entry.is_partial && body.when !== undefined) || needsEvidence || needsLabels) {
        undecidable++;
        continue;
      }
      const after = effectWith(rule, entry, before, matcher.matchText);
      if (after !== before && !matcher.isSpent()) calls.push(simulated(entry, before, after));
    }
    const proposed = entries.filter((entry) => effectOf(entry) !== undefined).length;
    return { calls, examined, undecidable, truncated: total_count > entries.length || examined < proposed };
  };
}

function simulated(entry: AuditEntry, before: PermissionEffect, after: PermissionEffect) {
  const { call_id, at, actor, document_id, thread_id = '', turn_id = '', tool, arguments: args } = entry;
  const place = { ...(document_id === undefined ? {} : { document_id }), thread_id, turn_id };
  return { call_id, at, actor, ...place, tool, arguments: args, before, after };
}

function effectOf({ decision }: AuditEntry): PermissionEffect | undefined {
  return decision === 'allow' || decision === 'ask' || decision === 'deny' ? decision : undefined;
}

/** The rule replaces weaker effects, and an ask that no rule required (`deny` over `ask` over `allow`). */
function effectWith(
  rule: DecidingRule,
  entry: AuditEntry,
  before: PermissionEffect,
  matchText: MatchText,
): PermissionEffect {
  const { document_id: documentId = '', thread_id: threadId = '', rule_id } = entry;
  if (before === 'deny' || !ruleMatches(rule, questionOf(entry), { documentId, threadId }, matchText)) return before;
  if (rule.effect === 'allow') return before === 'ask' && rule_id !== undefined ? 'ask' : 'allow';
  return rule.effect;
}

function questionOf({
  tool,
  arguments: text,
  provenance,
}: AuditEntry): Pick<PermissionRequest, 'tool' | 'args' | 'provenance'> {
  return { tool, args: JSON.parse(text) as PermissionRequest['args'], ...(provenance && { provenance }) };
}
