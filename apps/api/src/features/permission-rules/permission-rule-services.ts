import type { Connection } from 'mongoose';
import type { AuditServices } from '../audit/index.ts';
import { createDocumentRepositories } from '../documents/index.ts';
import { createOrganizationRepository } from '../identity/index.ts';
import { createOwnThreadRepository } from '../threads/index.ts';
import { createPermissionRuleRepositories } from './permission-rule-repository.ts';
import { createPermissionRuleService } from './permission-rule-service.ts';
import { createRememberedDecisions } from './remember-decisions.ts';
import { createSimulation } from './simulation-service.ts';
import { createTextMatchers } from './text-matcher.ts';
import { createTurnPermissions, type EvidenceOf } from './turn-permissions.ts';

export type PermissionRuleServices = ReturnType<typeof createPermissionRuleServices>;

export function createPermissionRuleServices(dependencies: {
  connection: Connection;
  auditOf: AuditServices['auditOf'];
  toolNames: readonly string[];
  evidenceOf: EvidenceOf;
}) {
  const { connection, auditOf, toolNames, evidenceOf } = dependencies;
  const rulesOf = createPermissionRuleRepositories(connection);
  const documentsOf = createDocumentRepositories(connection);
  const organizations = createOrganizationRepository(connection);
  const matchers = createTextMatchers();
  const permissionRules = createPermissionRuleService({
    rulesOf,
    toolNames,
    documentExists: async (organizationId, id) => (await documentsOf(organizationId).get(id)) !== undefined,
    threadExists: createOwnThreadRepository(connection),
  });
  return {
    permissionRules,
    simulateRule: createSimulation({ rulesFor: permissionRules, auditOf, matchers }),
    decideFor: createTurnPermissions({
      rulesOf,
      roleOf: (organizationId, userId) => organizations.roleOf(organizationId, userId),
      matchers,
      evidenceOf,
    }),
    rememberedDecisions: createRememberedDecisions(rulesOf, toolNames),
    forgetThread: (owner: { organizationId: string; userId: string }, threadId: string) =>
      rulesOf(owner).removeOfThread(threadId),
  };
}
