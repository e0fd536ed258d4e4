import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { AuditServices } from '../audit/index.ts';
import type { ArtifactServices } from '../document-agent/index.ts';
import type { DocumentHooks } from '../documents/index.ts';
import { createOrganizationRepository, type IdentityServices } from '../identity/index.ts';
import type { LlmFor } from '../llm/index.ts';
import type { PermissionRuleServices } from '../permission-rules/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { documentConversations, threadRoutes } from '../threads/index.ts';
import type { TurnAdmission } from '../turn-admission/index.ts';
import type { UndoServices } from '../undo/index.ts';
import { createChatRemoval } from './chat-removal-repository.ts';
import { createPurgedConversations } from './purged-conversations-repository.ts';
import { chatRoutes } from './chat-routes.ts';
import { decisionRoutes } from './decision-routes.ts';
import { createConversationRetention } from './conversation-retention.ts';
import { createChatServices, type ChatAreaDependencies } from './chat-services.ts';
import { turnRoutes } from './turn-routes.ts';

interface ChatNeeds {
  connection: Connection;
  permissions: PermissionRuleServices;
  auditOf: AuditServices['auditOf'];
  recordCallsOf: AuditServices['recordCallsOf'];
  wasApplied: UndoServices['wasApplied'];
  identity: Pick<IdentityServices, 'authentication' | 'localeOf'>;
  artifacts: Omit<ArtifactServices, 'agentEvaluations' | 'schemaUse' | 'releases' | 'localeOf'>;
  releases: ArtifactServices['releases'];
  agentEvaluations: ArtifactServices['agentEvaluations'];
  schemaUse: ArtifactServices['schemaUse'];
  /** Evaluations of calls. */
  evidence: ChatAreaDependencies['evidence'];
  llmFor: LlmFor;
  readingWaitMs?: ChatAreaDependencies['readingWaitMs'];
  documentHooks: DocumentHooks;
  settings: Settings;
  logger: FastifyBaseLogger;
  admission: TurnAdmission;
  streams: StreamAdmission;
}

/** Chat with the agent of a document: messages, approvals, turns and threads. */
export const chatFeature = defineFeature({
  create(needs: ChatNeeds) {
    const removal = createChatRemoval(needs.connection);
    needs.documentHooks.onRemove(async (...args) => removal.ofDocument(...args));
    const removeOldConversations = createConversationRetention({
      removal,
      limits: () => createOrganizationRepository(needs.connection).conversationLimits(),
      auditOf: needs.auditOf,
      forgetThread: (...thread) => needs.permissions.forgetThread(...thread),
    });
    const artifacts = {
      ...needs.artifacts,
      agentEvaluations: needs.agentEvaluations,
      schemaUse: needs.schemaUse,
      releases: needs.releases,
      localeOf: needs.identity.localeOf,
    };
    const { actorOf } = needs.identity.authentication;
    const chat = createChatServices({ ...needs, artifacts, actorOf, log: needs.logger });
    needs.documentHooks.onTrash((...trashed) => chat.turns.withdraw(...trashed));
    const removeConversationsOfPurged = createPurgedConversations(needs.connection, removal, needs.logger);
    return { chat, removeOldConversations, removeConversationsOfPurged };
  },
  jobs: ({ removeOldConversations, removeConversationsOfPurged }): Job[] => [
    { name: 'remove old conversations', everyMs: 3_600_000, concurrency: 1, run: removeOldConversations },
    {
      name: 'remove conversations of purged documents',
      everyMs: 3_600_000,
      concurrency: 1,
      run: removeConversationsOfPurged,
    },
  ],
  async routes(app, { chat: services, admission, streams }) {
    await app.register(chatRoutes, { services, admission, streams });
    const area = documentConversations;
    await app.register(decisionRoutes, { area, services, admission, streams });
    await app.register(turnRoutes, { area, services, streams });
    await app.register(threadRoutes, { area, services });
  },
  stop: async ({ chat }) => chat.stop(),
});
