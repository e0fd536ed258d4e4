import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import { type ChatServices, createEvidenceOnTurns } from '../chat/index.ts';
import type { CallEvaluations } from '../evaluations/index.ts';
import type { Actor, IdentityServices } from '../identity/index.ts';
import type { PermissionRuleServices } from '../permission-rules/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { createApprovalInbox } from './approval-inbox.ts';
import { createApprovalRepositories } from './approval-repository.ts';
import { approvalRoutes } from './approval-routes.ts';
import { createOrphanedCallRepository } from './orphaned-call-repository.ts';
import { createRecoverDecisions } from './recover-decisions.ts';
import { createRecoverDecisionsJob } from './recover-decisions-job.ts';
import { createCarryOut } from './carry-out-decisions.ts';
import { createCheckDecision } from './check-decision.ts';

interface ApprovalNeeds {
  connection: Connection;
  chat: ChatServices;
  identity: Pick<IdentityServices, 'roleOf'>;
  permissions: Pick<PermissionRuleServices, 'decideFor'>;
  evidence: (actor: Actor) => CallEvaluations;
  streams: StreamAdmission;
  logger: FastifyBaseLogger;
}

/** The inbox: pending approvals of all documents. */
export const approvalsFeature = defineFeature({
  create({ connection, chat, identity, permissions, evidence, logger }: ApprovalNeeds) {
    const callsOf = createApprovalRepositories(connection);
    const carryOut = createCarryOut(chat.approvals, logger);
    const check = createCheckDecision({ chat, turnStore: chat.turnStore, decideFor: permissions.decideFor });
    const orphaned = createOrphanedCallRepository(connection);
    return {
      inbox: createApprovalInbox({ callsOf, carryOut, evidenceOnTurns: createEvidenceOnTurns(evidence), check }),
      recoverDecisions: createRecoverDecisions({
        orphaned,
        callsOf,
        carryOut,
        withdraw: async (owner, turnId) => chat.turns.withdrawLeft(owner, turnId),
        roleOf: identity.roleOf,
        log: logger,
      }),
    };
  },
  jobs: ({ recoverDecisions }) => [createRecoverDecisionsJob(recoverDecisions)],
  routes: async (app, { inbox, streams }) => app.register(approvalRoutes, { services: { inbox }, streams }),
});
