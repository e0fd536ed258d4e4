import { DomainError, type CreatePermissionRuleBody, type PageQuery, type PermissionRule } from '@docwright/contract';
import { requireAdmin, type Actor } from '../identity/actor.ts';
import { checkRule, invalid } from './permission-rule-checks.ts';
import type { PermissionRuleRepositories } from './permission-rule-repository.ts';

export interface PermissionRuleServiceDependencies {
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
