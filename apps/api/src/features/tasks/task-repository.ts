import { randomUUID } from 'node:crypto';
import { isDateAlone, type Task, type UpdateTaskBody } from '@docwright/contract';
import type { TaskQuery } from '@docwright/agent-core';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import { hasInAnyCase } from '../../platform/database/name-search.ts';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { taskModel, type TaskRecord } from './task-model.ts';

interface NewTask {
  title: string;
  description?: string | null | undefined;
  document_id?: string | null | undefined;
  due_at?: string | null | undefined;
}

/** The tasks of one user in one organization. A malformed id finds nothing. */
interface TaskRepository {
  get(id: string): Promise<Task | undefined>;
  /** Open tasks first, then by due date. */
  list(query: TaskQuery): Promise<{ tasks: Task[]; total_count: number }>;
  /** A repeated call returns its task. */
  create(task: NewTask, callId?: string): Promise<Task>;
  /** Undefined fields stay, null removes the value. */
  update(id: string, change: UpdateTaskBody): Promise<Task | undefined>;
  /** Returns the removed task. */
  remove(id: string): Promise<Task | undefined>;
}

export type TaskRepositories = (owner: { organizationId: string; userId: string }) => TaskRepository;

/** The sort key of tasks without a date. */
const never = new Date('9999-12-31T00:00:00Z');

export function createTaskRepositories(connection: Connection): TaskRepositories {
  const model = taskModel(connection);
  return ({ organizationId, userId }) =>
    repositoryOf(model, {
      organization_id: new mongoose.Types.ObjectId(organizationId),
      user_id: new mongoose.Types.ObjectId(userId),
    });
}

/** Removes the links of all tasks to a document that is removed for good. */
export function createTaskUnlinking(
  connection: Connection,
): (organizationId: string, documentId: string) => Promise<void> {
  const model = taskModel(connection);
  return async (organizationId, documentId) => {
    await model.updateMany(
      {
        organization_id: new mongoose.Types.ObjectId(organizationId),
        document_id: new mongoose.Types.ObjectId(documentId),
      },
      { $set: { document_id: null } },
    );
  };
}

function repositoryOf(
  model: ReturnType<typeof taskModel>,
  owner: Pick<TaskRecord, 'organization_id' | 'user_id'>,
): TaskRepository {
  return {
    async get(id) {
      const found = await model.findOne({ ...owner, _id: id }).lean();
      return found ? present(found) : undefined;
    },
    async list({ skip, limit, is_completed, title_search, document_id }) {
      const filter: QueryFilter<TaskRecord> = { ...owner };
      if (is_completed !== undefined) filter.is_completed = is_completed;
      if (title_search) filter.title = hasInAnyCase(title_search);
      if (document_id !== undefined) filter.document_id = { $in: objectIdsOf([document_id]) };
      const [records, total_count] = await Promise.all([
        model
          .find(filter)
          .sort({ is_completed: 1, due_order: 1, created_at: 1, _id: 1 })
          .skip(skip)
          .limit(limit)
          .lean(),
        model.countDocuments(filter),
      ]);
      return { tasks: records.map(present), total_count };
    },
    async create({ title, ...rest }, callId) {
      try {
        const created = await model.create({
          ...owner,
          ...(callId === undefined ? {} : { call_id: callId }),
          _id: randomUUID(),
          title,
          is_completed: false,
          due_order: never,
          ...stored(rest),
          created_at: new Date(),
        });
        return present(created.toObject());
      } catch (error) {
        const earlier =
          callId !== undefined && isDuplicateKey(error) && (await model.findOne({ ...owner, call_id: callId }).lean());
        if (earlier) return present(earlier);
        throw error;
      }
    },
    async update(id, { title, is_completed, ...rest }) {
      const set = {
        ...(title === undefined ? {} : { title }),
        ...(is_completed === undefined ? {} : { is_completed }),
        ...stored(rest),
      };
      const options = { returnDocument: 'after' } as const;
      const changed = await model.findOneAndUpdate({ ...owner, _id: id }, { $set: set }, options).lean();
      return changed ? present(changed) : undefined;
    },
    async remove(id) {
      const removed = await model.findOneAndDelete({ ...owner, _id: id }).lean();
      return removed ? present(removed) : undefined;
    },
  };
}

function stored({ description, document_id, due_at }: Omit<NewTask, 'title'>) {
  const hasTime = !isDateAlone(due_at ?? '');
  const due = due_at ? new Date(hasTime ? due_at : `${due_at}${noon}`) : null;
  return {
    ...(description === undefined ? {} : { description: description || null }),
    ...(document_id === undefined ? {} : { document_id: document_id && new mongoose.Types.ObjectId(document_id) }),
    ...(due_at === undefined ? {} : { due_at: due, due_has_time: hasTime, due_order: due ?? never }),
  };
}

const noon = 'T12:00:00.000Z';

function present(record: TaskRecord): Task {
  const { _id, title, description, is_completed, document_id, created_at } = record;
  const due_at = dueOf(record);
  return {
    id: _id,
    title,
    ...(description ? { description } : {}),
    is_completed,
    ...(document_id ? { document_id: document_id.toHexString() } : {}),
    ...(due_at === undefined ? {} : { due_at }),
    created_at: created_at.toISOString(),
  };
}

/** The due date as entered. Old tasks do not store whether it has a time: noon counts as a date without a time. */
function dueOf({ due_at, due_has_time }: TaskRecord): string | undefined {
  const text = due_at?.toISOString();
  const hasTime = due_has_time ?? text?.endsWith(noon) === false;
  return hasTime ? text : text?.slice(0, noon.length * -1);
}
