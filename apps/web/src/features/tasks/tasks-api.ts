import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  createTaskBody,
  Task,
  TaskChatAnswer,
  taskConversationList,
  TaskConversationDetail,
  taskList,
  updateTaskBody,
} from '@docwright/contract';
import type { z } from 'zod';
import { queryString, requestJson, send, inOrganization } from '../../shared/http/http.ts';

/** The owner of a task list. */
export interface TaskOwner {
  userId: string;
  orgId: string;
}

const path = ({ userId }: TaskOwner) => `/api/v1/${userId}/tasks`;
const agentPath = ({ userId }: TaskOwner) => `/api/v1/agent/${userId}`;

/** The query key of everything about a user's tasks. */
export const tasksKey = ({ orgId }: TaskOwner) => ['tasks', orgId];
const conversationsKey = ({ orgId }: TaskOwner) => ['task-conversations', orgId];

interface TaskSearch {
  skip: number;
  limit: number;
  is_completed?: boolean | undefined;
}

export function taskListQuery(owner: TaskOwner, search: TaskSearch) {
  return queryOptions({
    queryKey: [...tasksKey(owner), 'list', search],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof taskList>>(
        path(owner) + queryString({ ...search }),
        inOrganization(owner.orgId, { signal }),
      ),
    placeholderData: keepPreviousData,
  });
}

type NewTask = z.input<typeof createTaskBody>;
type TaskChange = z.input<typeof updateTaskBody>;

export function createTask(owner: TaskOwner, body: NewTask): Promise<Task> {
  return requestJson(path(owner), inOrganization(owner.orgId, { method: 'POST', body }));
}

export function updateTask(owner: TaskOwner, taskId: string, body: TaskChange): Promise<Task> {
  return requestJson(`${path(owner)}/${taskId}`, inOrganization(owner.orgId, { method: 'PUT', body }));
}

export async function deleteTask(owner: TaskOwner, taskId: string): Promise<void> {
  await send(`${path(owner)}/${taskId}`, inOrganization(owner.orgId, { method: 'DELETE' }));
}

export function taskConversationsQuery(owner: TaskOwner) {
  return queryOptions({
    queryKey: [...conversationsKey(owner), 'list'],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof taskConversationList>>(
        `${agentPath(owner)}/conversations?limit=30`,
        inOrganization(owner.orgId, { signal }),
      ),
  });
}

export function taskConversationQuery(owner: TaskOwner, id: number) {
  return queryOptions({
    queryKey: [...conversationsKey(owner), 'one', id],
    queryFn: ({ signal }) =>
      requestJson<TaskConversationDetail>(
        `${agentPath(owner)}/conversations/${id}`,
        inOrganization(owner.orgId, { signal }),
      ),
  });
}

export function sendToTaskAgent(
  owner: TaskOwner,
  message: string,
  conversationId: number | null,
): Promise<TaskChatAnswer> {
  const body = { message, conversation_id: conversationId };
  return requestJson(`${agentPath(owner)}/chat`, inOrganization(owner.orgId, { method: 'POST', body }));
}
