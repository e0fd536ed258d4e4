import type { CreateTaskBody, Task, UpdateTaskBody } from '@docwright/contract';
import type { Locale } from '../turns/locale-lines.ts';
import type { CallOrigin } from '../tool/tool.ts';

/** The query of a list of tasks. */
export interface TaskQuery {
  skip: number;
  limit: number;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
  is_completed?: boolean | undefined;
  /** Part of the title. */
  title_search?: string | undefined;
  document_id?: string | undefined;
}

/** Some of the tasks. */
export interface ListedTasks {
  tasks: Task[];
  total_count: number;
  skip: number;
  limit: number;
  /** Absent on the last page. */
  next_cursor?: string | undefined;
}

/** The tasks of one user in one organization. A missing task is a DomainError of kind `not_found`. */
export interface TaskService {
  get(task_id: string): Promise<Task>;
  /** Open tasks first, then by due date. */
  list(query: TaskQuery): Promise<ListedTasks>;
  /** With an origin, idempotent for its call id. `invalid` if the document is not in the organization. */
  create(body: CreateTaskBody, origin?: CallOrigin): Promise<Task>;
  update(task_id: string, body: UpdateTaskBody, origin?: CallOrigin): Promise<Task>;
  /** Deletes a task and returns it. */
  delete(task_id: string, origin?: CallOrigin): Promise<Task>;
}

/** What decides which tasks a user means. */
export interface TaskConversationSoFar {
  /** The user's message. */
  readonly person: string;
  /** The agent's previous answer. */
  readonly agent: string;
  /** The ids of the tasks that the conversation has worked on or listed before this message. */
  readonly taskIds?: readonly string[];
}

/**
 * The services of the task agent's tools. The server creates them for one user in one organization, so that a call cannot
 * reach other users' tasks.
 */
export interface TaskAgentServices {
  readonly tasks: TaskService;
  /** The user's message and the agent's previous answer; absent if a program calls the tool itself. */
  readonly conversation?: TaskConversationSoFar;
  now(): Date;
  /** Time zone and language of the organization. */
  locale?(): Promise<Locale>;
  /** The newest documents, which a task can be linked to by name. */
  recentDocuments(): Promise<readonly { id: string; name: string }[]>;
}
