import { matchesTool } from '@docwright/agent-core';
import { DomainError, type CreatePermissionRuleBody } from '@docwright/contract';
import { problemOfPattern } from '../schemas/linear-pattern.ts';

/** Calls whose effect on verified results can be measured. */
const measured = new Set(['update_prompt', 'update_schema']);

const longestEquals = 10_000;

/** What the shape of a rule cannot say. Throws a DomainError of kind `invalid`. */
export function checkRule(rule: CreatePermissionRuleBody, toolNames: readonly string[]): void {
  if (!toolNames.some((name) => matchesTool(rule.tool, name))) {
    throw invalid('unknown_tool', `No tool is called "${rule.tool}". The chat's tools are listed at …/chat/tools.`);
  }
  checkScope(rule);
  if (rule.when === undefined) return;
  if ('evaluation' in rule.when) {
    const measurable = toolNames.filter((name) => matchesTool(rule.tool, name)).every((name) => measured.has(name));
    if (measurable && rule.effect === 'allow') return;
    throw invalid(
      'evaluation_condition_misplaced',
      'A condition on an evaluation belongs to a rule that allows update_prompt or update_schema, and to no other: where it does not hold, the call is asked about.',
    );
  }
  if ('provenance' in rule.when) return;
  if ('equals' in rule.when) {
    if (JSON.stringify(rule.when.equals).length <= longestEquals) return;
    throw invalid('condition_too_long', `"equals" takes a value of at most ${longestEquals} characters of JSON.`);
  }
  const problem = problemOfPattern(rule.when.matches);
  if (problem !== undefined) throw invalid('invalid_pattern', problem);
}

/** A scope names its own id and no other. */
function checkScope({ scope, thread_id, document_id }: CreatePermissionRuleBody): void {
  const given = { thread: thread_id !== undefined, document: document_id !== undefined };
  const wanted = { thread: scope === 'thread', document: scope === 'document' };
  if (given.thread === wanted.thread && given.document === wanted.document) return;
  const takes = scope === 'organization' ? 'neither thread_id nor document_id' : `${scope}_id and no other id`;
  throw invalid('scope_mismatch', `A rule of the scope "${scope}" takes ${takes}.`);
}

export function invalid(code: string, message: string): DomainError {
  return new DomainError('invalid', code, message);
}
