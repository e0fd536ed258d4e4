import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { AuditServices } from '../audit/index.ts';
import type { DocumentServices, DocumentHooks } from '../documents/index.ts';
import type { IdentityServices } from '../identity/index.ts';
import type { LlmServices } from '../llm/index.ts';
import type { PermissionRuleServices } from '../permission-rules/index.ts';
import type { TurnAdmission } from '../turn-admission/index.ts';
import { taskChatRoutes } from './task-chat-routes.ts';
import { createTaskUnlinking } from './task-repository.ts';
import { taskRoutes } from './task-routes.ts';
import { createTaskServices } from './task-services.ts';

interface TaskNeeds extends Pick<LlmServices, 'models' | 'llmFor'> {
  connection: Connection;
  identity: Pick<IdentityServices, 'localeOf'>;
  artifacts: Pick<DocumentServices, 'documents'>;
  permissions: Pick<PermissionRuleServices, 'decideFor'>;
  auditWrites: AuditServices['auditWrites'];
  recordCallsOf: AuditServices['recordCallsOf'];
  documentHooks: DocumentHooks;
  settings: Pick<Settings, 'agentMaxRounds'>;
  logger: FastifyBaseLogger;
  admission: TurnAdmission;
}

/** To-do lists and their agent. */
export const tasksFeature = defineFeature({
  create({ artifacts, permissions, documentHooks, logger, identity, ...needs }: TaskNeeds) {
    documentHooks.onRemove(createTaskUnlinking(needs.connection));
    const { documents } = artifacts;
    return createTaskServices({
      ...needs,
      documents,
      localeOf: identity.localeOf,
      decideFor: permissions.decideFor,
      log: logger,
    });
  },
  async routes(app, { admission, ...services }) {
    await app.register(taskRoutes, { services });
    await app.register(taskChatRoutes, { services, admission });
  },
  stop: async ({ taskChat }) => taskChat.stop(),
});
