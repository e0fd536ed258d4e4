import type { TaskService } from '@docwright/agent-core';
import { DomainError, type PageQuery, type Task, type TaskVersionList } from '@docwright/contract';
import { declareWrites, type AuditWrites } from '../audit/index.ts';
import type { Actor } from '../identity/index.ts';
import type { TaskRepositories } from './task-repository.ts';

interface TaskServiceDependencies {
  auditWrites: AuditWrites;
  tasksOf: TaskRepositories;
  documentExists: (organizationId: string, documentId: string) => Promise<boolean>;
}

const writes = declareWrites<Tasks>({
  create: { tool: 'add_task', takes: ['...', 'origin'] },
  update: { tool: 'update_task', takes: ['task_id', '...', 'origin'] },
  delete: { tool: 'delete_task', takes: ['task_id', 'origin'] },
});

/** What the agent can do with tasks, and their earlier versions. */
export interface Tasks extends TaskService {
  /** Newest first, also of a task that was deleted within 30 days. */
  versions(task_id: string, page: PageQuery): Promise<TaskVersionList>;
}

/** The caller's to-do list in the current organization. It gives no access to other lists. */
export function createTaskService({
  auditWrites,
  tasksOf,
  documentExists,
}: TaskServiceDependencies): (actor: Actor) => Tasks {
  return auditWrites(writes, (actor) => {
    const tasks = tasksOf(actor);

    async function requireDocument(id: string | null | undefined): Promise<void> {
      if (!id || (await documentExists(actor.organizationId, id))) return;
      throw new DomainError(
        'invalid',
        'unknown_reference',
        'The document does not exist in this organization. List the documents and use an id from there.',
      );
    }

    /** Hides the link to a deleted document; it is visible again after the deletion is undone. */
    async function withValidLink(task: Task): Promise<Task> {
      const { document_id, ...rest } = task;
      if (document_id === undefined || (await documentExists(actor.organizationId, document_id))) return task;
      return rest;
    }

    return {
      async get(task_id) {
        return await withValidLink(foundOrThrow(await tasks.get(task_id)));
      },
      async list(query) {
        const { tasks: listed, ...counted } = await tasks.list(query);
        return {
          tasks: await Promise.all(listed.map(withValidLink)),
          ...counted,
          skip: query.skip,
          limit: query.limit,
        };
      },
      async create(body, origin) {
        await requireDocument(body.document_id);
        return await withValidLink(await tasks.create(body, origin));
      },
      async update(task_id, body, origin) {
        const found = foundOrThrow(await tasks.get(task_id));
        await requireDocument(body.document_id);
        // A link that is hidden was seen as none.
        const isHidden = body.seen?.['document_id'] === null && (await withValidLink(found)).document_id === undefined;
        const seen = isHidden ? { ...body.seen, document_id: found.document_id ?? null } : body.seen;
        return await withValidLink(foundOrThrow(await tasks.update(task_id, { ...body, seen }, origin)));
      },
      async delete(task_id, origin) {
        return await withValidLink(foundOrThrow(await tasks.remove(task_id, origin)));
      },
      async versions(task_id, page) {
        const { skip, limit } = page;
        return { ...foundOrThrow(await tasks.versions(task_id, page)), skip, limit };
      },
    };
  });
}

function foundOrThrow<Found>(task: Found | undefined): Found {
  if (task === undefined) {
    throw new DomainError('not_found', 'task_not_found', 'There is no such task on the user’s list.');
  }
  return task;
}
