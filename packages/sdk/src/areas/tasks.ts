import type {
  createTaskBody,
  Task,
  TaskChatAnswer,
  TaskConversationDetail,
  taskConversationList,
  taskList,
  TaskVersionList,
  updateTaskBody,
} from '@docwright/contract';
import type { z } from 'zod';
import { pathOf, queryString, type Query } from '../client/address.ts';
import { listAllOf } from '../client/every-page.ts';
import { modelTimeout } from '../client/organization-api.ts';
import type { CallOptions, RequestOptions, Transport } from '../client/transport.ts';
import type { PageRequest } from '../client/page-request.ts';

type TaskList = z.infer<typeof taskList>;
type ConversationList = z.infer<typeof taskConversationList>;

/** Filter and page of `tasks.list`. */
export interface TaskQuery extends PageRequest {
  is_completed?: boolean;
  /** Part of the title. */
  title_search?: string;
  document_id?: string;
}

/** Returns the signed-in user, and the organization that the client works in. */
export interface TaskOwnerLookup {
  userId: (options?: CallOptions) => Promise<string>;
  organizationId: (options?: CallOptions) => Promise<string>;
}

/** The tasks of the signed-in user, and the agent that manages them. */
export function createTasks(transport: Transport, { userId, organizationId }: TaskOwnerLookup) {
  let known: Promise<string> | undefined;

  /** Cached after the first request; a failure is not cached. */
  function signedInUserId(options?: CallOptions): Promise<string> {
    known ??= userId(options).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  }

  async function request(
    place: (userId: string) => readonly string[],
    options: RequestOptions = {},
    query: Query = {},
  ): Promise<[path: string, options: RequestOptions]> {
    const headers = { 'x-org-id': await organizationId(options) };
    return [`/api/v1${pathOf(place(await signedInUserId(options)))}${queryString(query)}`, { ...options, headers }];
  }
  const tasks =
    (...rest: string[]) =>
    (user: string) => [user, 'tasks', ...rest];
  const agent =
    (...rest: string[]) =>
    (user: string) => ['agent', user, ...rest];
  const list = async (query: TaskQuery = {}, options?: CallOptions): Promise<TaskList> =>
    transport.json(...(await request(tasks(), options, { ...query })));
  return {
    /** Lists a page of tasks. */
    list,
    /** Yields all tasks that match the query. */
    listAll: listAllOf(list, (page) => page.tasks),
    /** One task. */
    get: async (taskId: string, options?: CallOptions): Promise<Task> =>
      transport.json(...(await request(tasks(taskId), options))),
    /** Creates a task. */
    create: async (body: z.input<typeof createTaskBody>, options?: CallOptions): Promise<Task> =>
      transport.json(...(await request(tasks(), { ...options, method: 'POST', body }))),
    /** Changes the given fields; null removes a value. */
    update: async (taskId: string, body: z.input<typeof updateTaskBody>, options?: CallOptions): Promise<Task> =>
      transport.json(...(await request(tasks(taskId), { ...options, method: 'PUT', body }))),
    /** Completes a task. */
    complete: async (taskId: string, options?: CallOptions): Promise<Task> =>
      transport.json(...(await request(tasks(taskId, 'complete'), { ...options, method: 'PATCH' }))),
    /** Deletes a task. */
    delete: async (taskId: string, options?: CallOptions): Promise<void> =>
      transport.done(...(await request(tasks(taskId), { ...options, method: 'DELETE' }))),
    /** The earlier versions of a task, newest first, also of one that was deleted within 30 days. */
    versions: async (taskId: string, query: PageRequest = {}, options?: CallOptions): Promise<TaskVersionList> =>
      transport.json(...(await request(tasks(taskId, 'versions'), options, { ...query }))),
    /** Sends a message to the agent, in the conversation with this id or in a new one, and waits for the answer. */
    say: async (message: string, conversationId?: number, options?: CallOptions): Promise<TaskChatAnswer> => {
      const body = { message, conversation_id: conversationId ?? null };
      const given = { timeoutMs: modelTimeout, ...options, method: 'POST' as const, body };
      return await transport.json(...(await request(agent('chat'), given)));
    },
    /** Lists a page of the user's conversations with the agent. */
    conversations: async (query: PageRequest = {}, options?: CallOptions): Promise<ConversationList> =>
      transport.json(...(await request(agent('conversations'), options, { ...query }))),
    /** A conversation with all its messages, the oldest first. */
    conversation: async (id: number, options?: CallOptions): Promise<TaskConversationDetail> =>
      transport.json(...(await request(agent('conversations', String(id)), options))),
  };
}
