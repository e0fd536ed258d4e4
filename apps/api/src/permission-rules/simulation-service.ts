import { ruleMatches, type CallQuestion, type DecidingRule, type MatchText } from '@docwright/agent-core';
import type { AuditEntry, CreatePermissionRuleBody, PermissionEffect, SimulationAnswer } from '@docwright/contract';
import type { AuditRepository } from '../audit/audit-repository.ts';
import type { Actor } from '../identity/actor.ts';
import type { PermissionRuleService } from './permission-rule-service.ts';

export interface SimulationDependencies {
  rulesFor: (actor: Actor) => Pick<PermissionRuleService, 'check'>;
  auditOf: (organizationId: string) => Pick<AuditRepository, 'list'>;
  matchText: MatchText;
}

/** Holds a rule that is not there yet against the calls of the past, of which a person sees as many as in the audit log. */
export type SimulateRule = (actor: Actor, rule: CreatePermissionRuleBody) => Promise<SimulationAnswer>;

const callsExamined = 1_000;
const callsShown = 100;

export function createSimulation({ rulesFor, auditOf, matchText }: SimulationDependencies): SimulateRule {
  return async (actor, body) => {
    await rulesFor(actor).check(body);
    const rule = { id: '', ...body };
    const everybody = body.scope === 'organization' && actor.role === 'admin';
    const filter = { kind: 'proposed' as const, ...(!everybody && { actor: actor.userId }), thread_id: body.thread_id };
    const { entries, total_count } = await auditOf(actor.organizationId).list(filter, {
      skip: 0,
      limit: callsExamined,
    });
    const examined = entries.filter((entry) => effectOf(entry) !== undefined);
    const decidable = examined.filter((entry) => !(entry.is_partial && body.when !== undefined));
    const calls = decidable.flatMap((entry) => {
      const before = effectOf(entry);
      const after = before && effectWith(rule, entry, before, matchText);
      if (before === undefined || after === undefined || before === after) return [];
      const { call_id, at, actor, document_id, thread_id, turn_id, tool, arguments: args } = entry;
      return [{ call_id, at, actor, document_id, thread_id, turn_id, tool, arguments: args, before, after }];
    });
    return {
      calls: calls.slice(0, callsShown),
      examined: examined.length,
      undecidable: examined.length - decidable.length,
      truncated: total_count > entries.length || calls.length > callsShown,
    };
  };
}

function effectOf({ decision }: AuditEntry): PermissionEffect | undefined {
  return decision === 'allow' || decision === 'ask' || decision === 'deny' ? decision : undefined;
}

/** `deny` before `ask` before `allow`: one more rule takes the place of what is weaker, and of what no rule had asked. */
function effectWith(
  rule: DecidingRule,
  entry: AuditEntry,
  before: PermissionEffect,
  matchText: MatchText,
): PermissionEffect {
  const { document_id: documentId, thread_id: threadId, rule_id } = entry;
  if (before === 'deny' || !ruleMatches(rule, questionOf(entry), { documentId, threadId }, matchText)) return before;
  if (rule.effect === 'allow') return before === 'ask' && rule_id !== undefined ? 'ask' : 'allow';
  return rule.effect;
}

function questionOf({ tool, arguments: text }: AuditEntry): Pick<CallQuestion, 'tool' | 'args'> {
  return { tool, args: JSON.parse(text) as CallQuestion['args'] };
}
