import {
  createTaskAgentProfile,
  type TaskService,
  type TaskAgentServices,
  taskAgentTools,
  type Decide,
} from '@docwright/agent-core';
import type { Connection } from 'mongoose';
import type { AuditServices } from '../audit/index.ts';
import { chooseChatModel, type LlmFor, type ModelService } from '../llm/index.ts';
import { createDocumentRepositories, type DocumentService } from '../documents/index.ts';
import type { Actor } from '../identity/index.ts';
import type { DecideForTurn } from '../permission-rules/index.ts';
import { createTaskChatService } from './task-chat-service.ts';
import { createTaskConversationRepository } from './task-conversation-repository.ts';
import { createTaskRepositories } from './task-repository.ts';
import { createTaskService } from './task-service.ts';

interface TaskAreaDependencies {
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

interface TaskAgentServiceDependencies {
  tasks: (actor: Actor) => TaskService;
  documents: (actor: Actor) => Pick<DocumentService, 'list'>;
}

/** How many documents the agent knows by name. */
const documentsKnown = 10;

/** What the task tools may reach for one person in one organization, from whichever side they are called. */
function taskAgentServicesFor({ tasks, documents }: TaskAgentServiceDependencies, actor: Actor): TaskAgentServices {
  return {
    tasks: tasks(actor),
    now: () => new Date(),
    async recentDocuments() {
      const { documents: newest } = await documents(actor).list({ skip: 0, limit: documentsKnown });
      return newest.map(({ id, document_name: name }) => ({ id, name }));
    },
  };
}

const toolNames = taskAgentTools.tools.map(({ name }) => name);

/**
 * What may run in a conversation about tasks. Writes to one's own list run unasked; a rule that denies holds, a viewer
 * writes nothing, and what a rule wants asked is not done: the answer is one complete JSON, in which nobody can be asked.
 */
export function createTaskPermissions(decideFor: DecideForTurn): (actor: Actor, threadId: string) => Decide {
  return (actor, threadId) => {
    const allowed = { autoApprove: false, autoApprovedTools: toolNames };
    const decide = decideFor(actor, { threadId, documentId: '', ...allowed });
    return async (call) => {
      const permission = await decide(call);
      if (permission.effect !== 'ask') return permission;
      return { ...permission, effect: 'deny', message: cannotAsk };
    };
  };
}

const cannotAsk =
  'This call is not permitted here: a permission rule wants the person asked, which this conversation cannot do. Tell them to make the change themselves on the page Tasks.';
