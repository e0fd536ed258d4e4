import {
  createTaskAgentProfile,
  type TaskService,
  type TaskAgentServices,
  taskAgentTools,
  type Decide,
  type Locale,
} from '@docwright/agent-core';
import type { Connection } from 'mongoose';
import { markedList } from '../../platform/database/marked-cursors.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { AuditServices } from '../audit/index.ts';
import { chooseChatModel, type LlmServices } from '../llm/index.ts';
import { createDocumentRepositories, type DocumentService, type DocumentServices } from '../documents/index.ts';
import type { Actor, IdentityServices } from '../identity/index.ts';
import { denyInsteadOfAsking, type DecideForTurn, type PermissionRuleServices } from '../permission-rules/index.ts';
import { createTaskChatService } from './task-chat-service.ts';
import { createTaskConversationRepository } from './task-conversation-repository.ts';
import { createTaskRepositories } from './task-repository.ts';
import { createTaskService, type Tasks } from './task-service.ts';

export interface TaskNeeds extends Pick<LlmServices, 'models' | 'llmFor'> {
  connection: Connection;
  identity: Pick<IdentityServices, 'localeOf'>;
  artifacts: Pick<DocumentServices, 'documents'>;
  permissions: Pick<PermissionRuleServices, 'decideFor'>;
  auditWrites: AuditServices['auditWrites'];
  recordCallsOf: AuditServices['recordCallsOf'];
  settings: Pick<Settings, 'agentMaxRounds'>;
  logger: { error(fields: object, message: string): void };
}

/** The time limit of one message: the client waits for its answer. */
const turnTimeoutMs = 2 * 60_000;

export type TaskServices = ReturnType<typeof createTaskServices>;

/** To-do lists and their agent. */
export function createTaskServices({ connection, identity, artifacts, permissions, auditWrites, ...needs }: TaskNeeds) {
  const { models, llmFor, recordCallsOf, settings, logger: log } = needs;
  const { documents } = artifacts;
  const documentsOf = createDocumentRepositories(connection);
  const tasks: (actor: Actor) => Tasks = createTaskService({
    auditWrites,
    tasksOf: createTaskRepositories(connection),
    documentExists: async (organizationId, id) => (await documentsOf(organizationId).get(id)) !== undefined,
  });
  /** The services of the task tools for one user, also for other agents that offer the tools. */
  const taskAgentServices = (actor: Actor) =>
    taskAgentServicesFor({ tasks, documents, localeOf: identity.localeOf }, actor);
  return {
    tasks,
    taskAgentServices,
    taskChat: createTaskChatService({
      profile: createTaskAgentProfile({ maxRounds: settings.agentMaxRounds, timeoutMs: turnTimeoutMs }),
      conversations: createTaskConversationRepository(connection),
      llmFor,
      decideFor: createTaskPermissions(permissions.decideFor),
      recordCallsOf,
      chooseModel: ({ organizationId }) => chooseChatModel(models(organizationId), undefined, undefined),
      servicesFor: taskAgentServices,
      log,
    }),
  };
}

interface TaskAgentServiceDependencies {
  tasks: (actor: Actor) => TaskService;
  documents: (actor: Actor) => Pick<DocumentService, 'list'>;
  localeOf: (organizationId: string) => Promise<Locale>;
}

/** The number of recent documents that the agent knows by name. */
const recentDocumentCount = 10;

function taskAgentServicesFor(
  { tasks, documents, localeOf }: TaskAgentServiceDependencies,
  actor: Actor,
): TaskAgentServices {
  const own = tasks(actor);
  return {
    tasks: { ...own, list: markedList('list_tasks', (query: Parameters<TaskService['list']>[0]) => own.list(query)) },
    now: () => new Date(),
    locale: () => localeOf(actor.organizationId),
    async recentDocuments() {
      const { documents: newest } = await documents(actor).list({ skip: 0, limit: recentDocumentCount });
      return newest
        .filter(({ never_to_model }) => never_to_model !== true)
        .map(({ id, document_name: name }) => ({ id, name }));
    },
  };
}

const toolNames = taskAgentTools.tools.map(({ name }) => name);

/**
 * The permissions in a chat about tasks. Writes to one's own list run without approval. Rules that deny apply, and
 * viewers cannot write. Calls that need approval are denied: the answer is one JSON, which cannot ask the user.
 */
export function createTaskPermissions(decideFor: DecideForTurn): (actor: Actor, threadId: string) => Decide {
  return (actor, threadId) => {
    const allowed = { autoApprove: false, autoApprovedTools: toolNames };
    return denyInsteadOfAsking(decideFor(actor, { threadId, documentId: '', ...allowed }), cannotAskMessage);
  };
}

const cannotAskMessage =
  'This call is not permitted here: a permission rule requires approval, which this chat cannot ask for. Tell the user to make the change on the page Tasks.';
