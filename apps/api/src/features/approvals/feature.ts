import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { ChatServices } from '../chat/chat-services.ts';
import type { PermissionRuleServices } from '../permission-rules/permission-rule-services.ts';
import type { StreamAdmission } from '../stream-admission/stream-admission.ts';
import { createApprovalInbox } from './approval-inbox.ts';
import { createApprovalRepositories } from './approval-repository.ts';
import { approvalRoutes } from './approval-routes.ts';
import { createCheckDecision } from './check-decision.ts';

export interface ApprovalNeeds {
  connection: Connection;
  chat: ChatServices;
  permissions: Pick<PermissionRuleServices, 'decideFor'>;
  streams: StreamAdmission;
  logger: FastifyBaseLogger;
}

/** The inbox: what waits for a decision, over all documents. */
export const approvalsFeature = defineFeature({
  create: ({ connection, chat, permissions, logger }: ApprovalNeeds) => ({
    inbox: createApprovalInbox({
      callsOf: createApprovalRepositories(connection),
      approvals: chat.approvals,
      check: createCheckDecision({ chat, turnStore: chat.turnStore, decideFor: permissions.decideFor }),
      log: logger,
    }),
  }),
  routes: async (app, { inbox, streams }) => app.register(approvalRoutes, { services: { inbox }, streams }),
});
