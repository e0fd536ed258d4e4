import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { AuditServices } from '../audit/audit-services.ts';
import type { DocumentServices } from '../documents/document-services.ts';
import type { DocumentHooks } from '../documents/feature.ts';
import type { LlmServices } from '../llm/llm-services.ts';
import type { PermissionRuleServices } from '../permission-rules/permission-rule-services.ts';
import type { TurnAdmission } from '../turn-admission/turn-admission.ts';
import { taskChatRoutes } from './task-chat-routes.ts';
import { createTaskUnlinking } from './task-repository.ts';
import { taskRoutes } from './task-routes.ts';
import { createTaskServices } from './task-services.ts';

export interface TaskNeeds extends Pick<LlmServices, 'models' | 'llmFor'> {
  connection: Connection;
  artifacts: Pick<DocumentServices, 'documents'>;
  permissions: Pick<PermissionRuleServices, 'decideFor'>;
  recordCallsOf: AuditServices['recordCallsOf'];
  documentHooks: DocumentHooks;
  settings: Pick<Settings, 'agentMaxRounds'>;
  logger: FastifyBaseLogger;
  admission: TurnAdmission;
}

/** To-do lists, and the agent that keeps them. */
export const tasksFeature = defineFeature({
  create({ artifacts, permissions, documentHooks, logger, ...needs }: TaskNeeds) {
    documentHooks.onRemove(createTaskUnlinking(needs.connection));
    const { documents } = artifacts;
    return createTaskServices({ ...needs, documents, decideFor: permissions.decideFor, log: logger });
  },
  async routes(app, { admission, ...services }) {
    await app.register(taskRoutes, { services });
    await app.register(taskChatRoutes, { services, admission });
  },
  stop: async ({ taskChat }) => taskChat.stop(),
});
