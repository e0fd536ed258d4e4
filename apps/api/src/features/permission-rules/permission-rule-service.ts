import { DomainError, type CreatePermissionRuleBody, type PermissionRule } from '@docwright/contract';
import { requireAdmin, type Actor } from '../identity/index.ts';
import type { PermissionRuleRepositories } from './permission-rule-repository.ts';
import { matchesTool, nearestName } from '@docwright/agent-core';
import { problemOfPattern } from '../schemas/index.ts';
import type { PageEnd, PageSelection } from '../../platform/database/page.ts';

interface PermissionRuleServiceDependencies {
  rulesOf: PermissionRuleRepositories;
  toolNames: readonly string[];
  documentExists: (organizationId: string, documentId: string) => Promise<boolean>;
  /** Whether the thread belongs to this user. */
  threadExists: (actor: Actor, threadId: string) => Promise<boolean>;
}

/**
 * The rules visible to a user: the organization's, which admins write, and the user's own for threads and documents.
 */
export type PermissionRuleService = ReturnType<typeof serviceFor>;

/** Limited, since every call checks all rules. */
const maxRules = { organization: 100, thread: 200, document: 200 };

export function createPermissionRuleService(
  dependencies: PermissionRuleServiceDependencies,
): (actor: Actor) => PermissionRuleService {
  return (actor) => serviceFor(actor, dependencies);
}

function serviceFor(
  actor: Actor,
  { rulesOf, toolNames, documentExists, threadExists }: PermissionRuleServiceDependencies,
) {
  const rules = rulesOf(actor);

  async function check(body: CreatePermissionRuleBody): Promise<void> {
    checkRule(body, toolNames);
    const { thread_id, document_id } = body;
    if (document_id !== undefined && !(await documentExists(actor.organizationId, document_id))) {
      throw invalid('unknown_reference', 'The document does not exist. List the documents and use an id from there.');
    }
    if (thread_id !== undefined && !(await threadExists(actor, thread_id))) {
      throw invalid('unknown_reference', 'You have no such thread. List your threads and use an id from there.');
    }
  }

  return {
    /** Throws the validation errors of `create` without writing. */
    check,
    async list(page: PageSelection): Promise<
      {
        permission_rules: PermissionRule[];
        skip: number;
        limit: number;
      } & PageEnd
    > {
      return { ...(await rules.list(page)), skip: page.skip, limit: page.limit };
    },
    /** Throws `unknown_tool`, `unknown_reference`, `scope_mismatch`, `invalid_pattern`, `too_many_rules`. */
    async create(body: CreatePermissionRuleBody): Promise<PermissionRule> {
      if (body.scope === 'organization') requireAdmin(actor);
      await check(body);
      if ((await rules.count(body.scope)) >= maxRules[body.scope]) {
        throw invalid(
          'too_many_rules',
          `The limit of ${maxRules[body.scope]} such rules is reached. Delete one first.`,
        );
      }
      return await rules.create(body);
    },
    async delete(id: string): Promise<void> {
      const rule = await rules.get(id);
      if (rule === undefined) throw notFound();
      if (rule.scope === 'organization') requireAdmin(actor);
      if (!(await rules.remove(id))) throw notFound();
    },
  };
}

function notFound(): DomainError {
  return new DomainError('not_found', 'permission_rule_not_found', 'The permission rule does not exist.');
}

/** Calls whose effect on verified results can be measured. */
const measurableTools = new Set(['update_prompt', 'update_schema']);

const maxEqualsCharacters = 10_000;

/** Checks beyond the schema. Throws a DomainError of kind `invalid`. */
function checkRule(rule: CreatePermissionRuleBody, toolNames: readonly string[]): void {
  if (!toolNames.some((name) => matchesTool(rule.tool, name))) {
    const suggestion = nearestName(rule.tool, [...toolNames, ...toolNames.map(patternOf)]);
    throw invalid(
      'unknown_tool',
      `No tool matches "${rule.tool}". ${suggestion === undefined ? 'GET …/chat/tools lists all.' : `Did you mean ${suggestion}?`}`,
    );
  }
  checkScope(rule);
  if (rule.when === undefined) return;
  if ('evaluation' in rule.when) {
    const measurable = toolNames
      .filter((name) => matchesTool(rule.tool, name))
      .every((name) => measurableTools.has(name));
    if (measurable && rule.effect === 'allow') return;
    throw invalid(
      'evaluation_condition_misplaced',
      'Only a rule that allows update_prompt or update_schema can have a condition on an evaluation. If the condition fails, the call needs approval.',
    );
  }
  if ('provenance' in rule.when) return;
  if ('equals' in rule.when) {
    if (JSON.stringify(rule.when.equals).length <= maxEqualsCharacters) return;
    throw invalid('condition_too_long', `"equals" takes a value of at most ${maxEqualsCharacters} characters of JSON.`);
  }
  const problem = problemOfPattern(rule.when.matches);
  if (problem !== undefined) throw invalid('invalid_pattern', problem);
}

/** For example `delete_*` for `delete_tag`. */
function patternOf(name: string): string {
  return `${name.split('_')[0]}_*`;
}

/** A scope requires its own id and no other. */
function checkScope({ scope, thread_id, document_id }: CreatePermissionRuleBody): void {
  const given = { thread: thread_id !== undefined, document: document_id !== undefined };
  const required = { thread: scope === 'thread', document: scope === 'document' };
  if (given.thread === required.thread && given.document === required.document) return;
  const takes = scope === 'organization' ? 'neither thread_id nor document_id' : `${scope}_id and no other id`;
  throw invalid('scope_mismatch', `A rule of the scope "${scope}" takes ${takes}.`);
}

function invalid(code: string, message: string): DomainError {
  return new DomainError('invalid', code, message);
}
