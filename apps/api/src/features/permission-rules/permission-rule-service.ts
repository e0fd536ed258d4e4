import { DomainError, type CreatePermissionRuleBody, type PageQuery, type PermissionRule } from '@docwright/contract';
import { requireAdmin, type Actor } from '../identity/index.ts';
import type { PermissionRuleRepositories } from './permission-rule-repository.ts';
import { matchesTool, nearestName } from '@docwright/agent-core';
import { problemOfPattern } from '../schemas/index.ts';

interface PermissionRuleServiceDependencies {
  rulesOf: PermissionRuleRepositories;
  toolNames: readonly string[];
  documentExists: (organizationId: string, documentId: string) => Promise<boolean>;
  /** Whether the thread is this person's. */
  threadExists: (actor: Actor, threadId: string) => Promise<boolean>;
}

/** The rules that one person may see: the organization's, which admins write, and their own of threads and documents. */
export interface PermissionRuleService {
  list(query: PageQuery): Promise<{
    permission_rules: PermissionRule[];
    total_count: number;
    skip: number;
    limit: number;
  }>;
  /** Throws `unknown_tool`, `unknown_reference`, `scope_mismatch`, `invalid_pattern`, `too_many_rules`. */
  create(body: CreatePermissionRuleBody): Promise<PermissionRule>;
  /** Throws what `create` would throw of a rule as such, writing nothing. */
  check(body: CreatePermissionRuleBody): Promise<void>;
  delete(id: string): Promise<void>;
}

/** All of them are looked at for every call. */
const maxRules = { organization: 100, thread: 200, document: 200 };

export function createPermissionRuleService(
  dependencies: PermissionRuleServiceDependencies,
): (actor: Actor) => PermissionRuleService {
  return (actor) => serviceFor(actor, dependencies);
}

function serviceFor(
  actor: Actor,
  { rulesOf, toolNames, documentExists, threadExists }: PermissionRuleServiceDependencies,
): PermissionRuleService {
  const rules = rulesOf(actor);

  async function check(body: CreatePermissionRuleBody): Promise<void> {
    checkRule(body, toolNames);
    const { thread_id, document_id } = body;
    if (document_id !== undefined && !(await documentExists(actor.organizationId, document_id))) {
      throw invalid('unknown_reference', 'There is no such document. List the documents and use an id from there.');
    }
    if (thread_id !== undefined && !(await threadExists(actor, thread_id))) {
      throw invalid('unknown_reference', 'You have no such thread. List your threads and use an id from there.');
    }
  }

  return {
    check,
    async list({ skip, limit }) {
      return { ...(await rules.list({ skip, limit })), skip, limit };
    },
    async create(body) {
      if (body.scope === 'organization') requireAdmin(actor);
      await check(body);
      if ((await rules.count(body.scope)) >= maxRules[body.scope]) {
        throw invalid('too_many_rules', `There can be ${maxRules[body.scope]} such rules. Delete one first.`);
      }
      return await rules.create(body);
    },
    async delete(id) {
      const rule = await rules.get(id);
      if (rule === undefined) throw notFound();
      if (rule.scope === 'organization') requireAdmin(actor);
      if (!(await rules.remove(id))) throw notFound();
    },
  };
}

function notFound(): DomainError {
  return new DomainError('not_found', 'permission_rule_not_found', 'There is no such permission rule.');
}

/** Calls whose effect on verified results can be measured. */
const measured = new Set(['update_prompt', 'update_schema']);

const longestEquals = 10_000;

/** What the shape of a rule cannot say. Throws a DomainError of kind `invalid`. */
function checkRule(rule: CreatePermissionRuleBody, toolNames: readonly string[]): void {
  if (!toolNames.some((name) => matchesTool(rule.tool, name))) {
    const meant = nearestName(rule.tool, [...toolNames, ...toolNames.map(patternOf)]);
    throw invalid(
      'unknown_tool',
      `No tool matches "${rule.tool}". ${meant === undefined ? 'GET …/chat/tools lists all.' : `Did you mean ${meant}?`}`,
    );
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

/** `delete_tag` belongs to `delete_*`. */
function patternOf(name: string): string {
  return `${name.split('_')[0]}_*`;
}

/** A scope names its own id and no other. */
function checkScope({ scope, thread_id, document_id }: CreatePermissionRuleBody): void {
  const given = { thread: thread_id !== undefined, document: document_id !== undefined };
  const wanted = { thread: scope === 'thread', document: scope === 'document' };
  if (given.thread === wanted.thread && given.document === wanted.document) return;
  const takes = scope === 'organization' ? 'neither thread_id nor document_id' : `${scope}_id and no other id`;
  throw invalid('scope_mismatch', `A rule of the scope "${scope}" takes ${takes}.`);
}

function invalid(code: string, message: string): DomainError {
  return new DomainError('invalid', code, message);
}
