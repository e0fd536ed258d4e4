import type { CreateTaskBody, Task, UpdateTaskBody } from '@docwright/contract';
import type { WriteOrigin } from '../tool/tool.ts';

/** What a list of tasks is asked for. */
export interface TaskQuery {
  skip: number;
  limit: number;
  is_completed?: boolean | undefined;
  /** Part of the title. */
  title_search?: string | undefined;
  document_id?: string | undefined;
}

/** The to-do list of one person in one organization. A task that is not on it is a DomainError of kind `not_found`. */
export interface TaskService {
  get(task_id: string): Promise<Task>;
  /** Open ones first, then by what is due soonest. */
  list(query: TaskQuery): Promise<{ tasks: Task[]; total_count: number; skip: number; limit: number }>;
  /** With an origin, once for its call. `invalid` where the document is not there or not the organization's. */
  create(body: CreateTaskBody, origin?: WriteOrigin): Promise<Task>;
  update(task_id: string, body: UpdateTaskBody): Promise<Task>;
  /** Gives the task as it was. */
  delete(task_id: string): Promise<Task>;
}

/**
 * What the task agent's tools may reach. Made by the server for one person in one organization: whatever a model passes,
 * there is no way from here to anybody else's tasks.
 */
export interface TaskAgentServices {
  readonly tasks: TaskService;
  /** What the person says now and what the agent said before; absent where a program calls, which says itself what it means. */
  readonly conversation?: { readonly person: string; readonly agent: string };
  /** Now, from which `tomorrow` and `by Friday` are counted. */
  now(): Date;
  /** The newest documents, which a task may be linked to by name. */
  recentDocuments(): Promise<readonly { id: string; name: string }[]>;
}
