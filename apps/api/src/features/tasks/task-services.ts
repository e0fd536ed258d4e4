import { createTaskAgentProfile, type TaskService } from '@docwright/agent-core';
import type { Connection } from 'mongoose';
import type { AuditServices } from '../audit/audit-services.ts';
import { chooseChatModel } from '../llm/choose-chat-model.ts';
import { createDocumentRepositories } from '../documents/document-repository.ts';
import type { DocumentService } from '../documents/document-service.ts';
import type { Actor } from '../identity/actor.ts';
import type { LlmFor } from '../llm/llm-services.ts';
import type { ModelService } from '../llm/model-service.ts';
import type { DecideForTurn } from '../permission-rules/turn-permissions.ts';
import { taskAgentServicesFor } from './task-agent-services.ts';
import { createTaskChatService } from './task-chat-service.ts';
import { createTaskConversationRepository } from './task-conversation-repository.ts';
import { createTaskPermissions } from './task-permissions.ts';
import { createTaskRepositories } from './task-repository.ts';
import { createTaskService } from './task-service.ts';

export interface TaskAreaDependencies {
  connection: Connection;
  documents: (actor: Actor) => DocumentService;
  models: (organizationId: string) => ModelService;
  llmFor: LlmFor;
  decideFor: DecideForTurn;
  recordCallsOf: AuditServices['recordCallsOf'];
  settings: { agentMaxRounds: number };
  log: { error(fields: object, message: string): void };
}

/** Of one message: somebody waits for its answer on an open connection. */
const turnTimeoutMs = 2 * 60_000;

export type TaskServices = ReturnType<typeof createTaskServices>;

/** To-do lists, and the agent that keeps them. */
export function createTaskServices(dependencies: TaskAreaDependencies) {
  const { connection, documents, models, llmFor, decideFor, recordCallsOf, settings, log } = dependencies;
  const documentsOf = createDocumentRepositories(connection);
  const tasks: (actor: Actor) => TaskService = createTaskService({
    tasksOf: createTaskRepositories(connection),
    documentExists: async (organizationId, id) => (await documentsOf(organizationId).get(id)) !== undefined,
  });
  /** What the task tools reach for one person, for whoever offers them. */
  const taskAgentServices = (actor: Actor) => taskAgentServicesFor({ tasks, documents }, actor);
  return {
    tasks,
    taskAgentServices,
    taskChat: createTaskChatService({
      profile: createTaskAgentProfile({ maxRounds: settings.agentMaxRounds, timeoutMs: turnTimeoutMs }),
      conversations: createTaskConversationRepository(connection),
      llmFor,
      decideFor: createTaskPermissions(decideFor),
      recordCallsOf,
      chooseModel: ({ organizationId }) => chooseChatModel(models(organizationId), undefined, undefined),
      servicesFor: taskAgentServices,
      log,
    }),
  };
}
