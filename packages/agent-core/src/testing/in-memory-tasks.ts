import { randomUUID } from 'node:crypto';
import { DomainError, type Task } from '@docwright/contract';
import type { TaskService } from '../task-agent/services.ts';

/** A task list in memory. */
export function createInMemoryTasks(given: readonly Pick<Task, 'title' | 'due_at'>[]): {
  all: Task[];
  service: TaskService;
} {
  const all = given.map((task): Task => ({
    id: randomUUID(),
    is_completed: false,
    created_at: '2026-01-01T00:00:00.000Z',
    version: 1,
    ...task,
  }));
  const at = (id: string) => {
    const found = all.findIndex((task) => task.id === id);
    if (found === -1) throw new DomainError('not_found', 'task_not_found', 'There is no such task.');
    return found;
  };
  return {
    all,
    service: {
      get: async (id) => all[at(id)]!,
      list: async ({ skip, limit }) => ({ tasks: all.slice(skip, skip + limit), total_count: all.length, skip, limit }),
      create: async () => {
        throw new Error('This service creates no tasks.');
      },
      update: async (id) => all[at(id)]!,
      delete: async (id) => all.splice(at(id), 1)[0]!,
    },
  };
}
