import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { createTaskBody, Task, TaskChatAnswer, updateTaskBody } from '@docwright/contract';
import type { z } from 'zod';
import { requestJson, send } from '../../shared/http/http.ts';
import { asSeen, type SeenState } from '../../shared/http/seen-state.ts';

/** The owner of a task list. */
export interface TaskOwner {
  userId: string;
  orgId: string;
}

const path = ({ userId }: TaskOwner) => `/api/v1/${userId}/tasks` as const;
const agentPath = ({ userId }: TaskOwner) => `/api/v1/agent/${userId}` as const;

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
    queryFn: ({ signal }) => requestJson(path(owner), { query: search, orgId: owner.orgId, signal }),
    placeholderData: keepPreviousData,
  });
}

type NewTask = z.input<typeof createTaskBody>;
type TaskChange = z.input<typeof updateTaskBody>;

export function createTask(owner: TaskOwner, body: NewTask): Promise<Task> {
  return requestJson(path(owner), { orgId: owner.orgId, method: 'POST', body });
}

/** @param seen what the user has seen of the task, if a form sends the change */
export async function updateTask(
  owner: TaskOwner,
  taskId: string,
  body: TaskChange,
  seen?: SeenState<Task>,
): Promise<Task> {
  const task = `${path(owner)}/${taskId}` as const;
  if (seen === undefined) return await requestJson(task, { orgId: owner.orgId, method: 'PUT', body });
  const now = await requestJson(task, { orgId: owner.orgId });
  seen.check(body, now);
  return await requestJson(task, { orgId: owner.orgId, method: 'PUT', body: asSeen(body, now) });
}

export async function deleteTask(owner: TaskOwner, taskId: string): Promise<void> {
  await send(`${path(owner)}/${taskId}`, { orgId: owner.orgId, method: 'DELETE' });
}

export function taskConversationsQuery(owner: TaskOwner) {
  return queryOptions({
    queryKey: [...conversationsKey(owner), 'list'],
    queryFn: ({ signal }) =>
      requestJson(`${agentPath(owner)}/conversations`, { query: { limit: 30 }, orgId: owner.orgId, signal }),
  });
}

export function taskConversationQuery(owner: TaskOwner, id: number) {
  return queryOptions({
    queryKey: [...conversationsKey(owner), 'one', id],
    queryFn: ({ signal }) => requestJson(`${agentPath(owner)}/conversations/${id}`, { orgId: owner.orgId, signal }),
  });
}

export function sendToTaskAgent(
  owner: TaskOwner,
  message: string,
  conversationId: number | null,
): Promise<TaskChatAnswer> {
  const body = { message, conversation_id: conversationId };
  return requestJson(`${agentPath(owner)}/chat`, { orgId: owner.orgId, method: 'POST', body });
}
