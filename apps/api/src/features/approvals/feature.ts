import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { ChatServices } from '../chat/chat-services.ts';
import { createEvidenceOnTurns } from '../chat/evidence-on-turns.ts';
import type { CallEvidence } from '../evaluations/call-evidence.ts';
import type { Actor } from '../identity/actor.ts';
import type { PermissionRuleServices } from '../permission-rules/permission-rule-services.ts';
import type { StreamAdmission } from '../stream-admission/stream-admission.ts';
import type { IdentityServices } from '../identity/identity-services.ts';
import { createApprovalInbox } from './approval-inbox.ts';
import { createApprovalRepositories } from './approval-repository.ts';
import { approvalRoutes } from './approval-routes.ts';
import { createLeftCallRepository } from './left-call-repository.ts';
import { createRecoverDecisions } from './recover-decisions.ts';
import { createRecoverDecisionsJob } from './recover-decisions-job.ts';
import { createCarryOut } from './carry-out-decisions.ts';
import { createCheckDecision } from './check-decision.ts';

export interface ApprovalNeeds {
  connection: Connection;
  chat: ChatServices;
  identity: Pick<IdentityServices, 'roleOf'>;
  permissions: Pick<PermissionRuleServices, 'decideFor'>;
  evidence: (actor: Actor) => CallEvidence;
  streams: StreamAdmission;
  logger: FastifyBaseLogger;
}

/** The inbox: what waits for a decision, over all documents. */
export const approvalsFeature = defineFeature({
  create({ connection, chat, identity, permissions, evidence, logger }: ApprovalNeeds) {
    const callsOf = createApprovalRepositories(connection);
    const carryOut = createCarryOut(chat.approvals, logger);
    const check = createCheckDecision({ chat, turnStore: chat.turnStore, decideFor: permissions.decideFor });
    const left = createLeftCallRepository(connection);
    return {
      inbox: createApprovalInbox({ callsOf, carryOut, evidenceOnTurns: createEvidenceOnTurns(evidence), check }),
      recoverDecisions: createRecoverDecisions({ left, callsOf, carryOut, roleOf: identity.roleOf, log: logger }),
    };
  },
  jobs: ({ recoverDecisions }) => [createRecoverDecisionsJob(recoverDecisions)],
  routes: async (app, { inbox, streams }) => app.register(approvalRoutes, { services: { inbox }, streams }),
});
