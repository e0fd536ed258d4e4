import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isDateAlone, type Task, type UpdateTaskBody } from '@docwright/contract';
import type { TaskQuery } from '@docwright/agent-core';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { readPage, type PageSelection } from '../../platform/database/page.ts';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import { hasInAnyCase } from '../../platform/database/name-search.ts';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { undoOfferedMs } from '../../turn-writes/turn-write-model.ts';
import { createTurnWriteRepositories, type TurnWriteRepository } from '../../turn-writes/turn-write-repository.ts';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import { taskModel, type TaskRecord } from './task-model.ts';
import { editAsSeen, requireSeen } from '../../platform/records/seen-edit.ts';
import { presentEach } from '../../platform/records/unreadable-records.ts';

interface NewTask {
  title: string;
  description?: string | null | undefined;
  document_id?: string | null | undefined;
  due_at?: string | null | undefined;
}

/** The tasks of one user in one organization. A malformed id finds nothing. */
type TaskRepository = ReturnType<typeof repositoryOf>;

/** The noted state of a task before a write. */
export type TaskBefore = Pick<Task, 'title' | 'is_completed'> &
  Pick<Partial<Task>, 'description' | 'document_id' | 'due_at'> & { changes: number };

export type TaskRepositories = (owner: { organizationId: string; userId: string }) => TaskRepository;

const maxAppliedCalls = 200;
const dayMs = 24 * 60 * 60 * 1000;

/** The sort key of tasks without a date. */
const never = new Date('9999-12-31T00:00:00Z');

export function createTaskRepositories(connection: Connection): TaskRepositories {
  const model = taskModel(connection);
  const writesOf = createTurnWriteRepositories(connection);
  return ({ organizationId, userId }) =>
    repositoryOf(model, writesOf(organizationId), {
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
  writes: TurnWriteRepository,
  owner: Pick<TaskRecord, 'organization_id' | 'user_id'>,
) {
  /** Each write of a task is undone by itself, so it is noted as a turn of its own. */
  const note = async (origin: WriteOrigin | undefined, tool: string, found?: TaskRecord) =>
    await writes.note(origin && { user_id: owner.user_id.toHexString(), ...origin, turn_id: origin.call_id }, {
      tool,
      kind: 'task',
      ...(found && { recordId: found._id }),
      before: found ? beforeOf(found) : null,
      base: found?.changes ?? 0,
    });
  const noted = (origin: WriteOrigin | undefined) =>
    origin ? { $push: { applied_calls: { $each: [origin.call_id], $slice: -maxAppliedCalls } } } : {};
  const unlessApplied = (origin: WriteOrigin | undefined) => (origin ? { applied_calls: { $ne: origin.call_id } } : {});
  return {
    async get(id: string) {
      const found = await model.findOne({ ...owner, _id: id, deleted_at: null }).lean();
      return found ? present(found) : undefined;
    },
    /** Open tasks first, then by due date. */
    async list({ is_completed, title_search, document_id, ...page }: TaskQuery) {
      const filter: QueryFilter<TaskRecord> = { ...owner, deleted_at: null };
      if (is_completed !== undefined) filter.is_completed = is_completed;
      if (title_search) filter.title = hasInAnyCase(title_search);
      if (document_id !== undefined) filter.document_id = { $in: objectIdsOf([document_id]) };
      const sort = { is_completed: 1, due_order: 1, created_at: 1, _id: 1 } as const;
      const { records, end } = await readPage(model, filter, { ...page, sort });
      return { tasks: presentEach(records, present), ...end };
    },
    /** A repeated call returns its task. */
    async create({ title, ...rest }: NewTask, origin?: WriteOrigin) {
      await note(origin, 'add_task');
      const callId = origin?.call_id;
      try {
        const created = await model.create({
          ...owner,
          ...(callId === undefined ? {} : { call_id: callId, applied_calls: [callId] }),
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
    /** Undefined fields stay, null removes the value. A repeated call changes nothing. */
    async update(id: string, { seen, title, is_completed, ...rest }: UpdateTaskBody, origin?: WriteOrigin) {
      const read = () => model.findOne({ ...owner, _id: id, deleted_at: null }).lean();
      const found = await read();
      if (!found) return undefined;
      if (origin && found.applied_calls.includes(origin.call_id)) return present(found);
      requireSeen('task', seen, present(found));
      const set = {
        ...(title === undefined ? {} : { title }),
        ...(is_completed === undefined ? {} : { is_completed }),
        ...stored(rest),
      };
      if (isDeepStrictEqual({ ...found, ...set }, { ...found })) return present(found);
      await note(origin, 'update_task', found);
      await editAsSeen({ what: 'task', seen, read, present }, async (unchanged) => {
        const { matchedCount } = await model.updateOne(
          { ...owner, _id: id, deleted_at: null, ...unlessApplied(origin), ...unchanged(set) },
          { $set: set, $inc: { changes: 1 }, ...noted(origin) },
        );
        return seen === undefined || matchedCount === 1 ? true : undefined;
      });
      const changed = await read();
      return changed ? present(changed) : undefined;
    },
    /** Returns the deleted task. It can be restored while its undo is offered. */
    async remove(id: string, origin?: WriteOrigin) {
      const found = await model.findOne({ ...owner, _id: id }).lean();
      if (!found) return undefined;
      // It may have been restored since.
      if (origin && found.applied_calls.includes(origin.call_id)) return present(found);
      if (!found.deleted_at) await note(origin, 'delete_task', found);
      const { matchedCount } = await model.updateOne(
        { ...owner, _id: id, deleted_at: null },
        {
          $set: deletedBy(origin),
          $inc: { changes: 1 },
          ...noted(origin),
        },
      );
      const isRepeated = origin !== undefined && found.deleted_by_call === origin.call_id;
      return matchedCount === 1 || isRepeated ? present(found) : undefined;
    },
    /** Its earlier versions, newest first, also of a deleted task; undefined if there is no such task. */
    async versions(id: string, page: PageSelection) {
      const found = await model.findOne({ ...owner, _id: id }).lean();
      if (!found) return undefined;
      const { writes: earlier, ...counted } = await writes.ofRecord('task', id, page);
      const versions = earlier.map(({ before, tool, at, userId }) => {
        const { changes, ...content } = before as TaskBefore;
        const author = userId === undefined ? {} : { replaced_by: userId };
        const created_at = found.created_at.toISOString();
        return { id, ...content, created_at, version: changes, replaced_at: at.toISOString(), ...author, tool };
      });
      return { versions, ...counted };
    },
  };
}

function beforeOf(record: TaskRecord): TaskBefore {
  const { id: _id, created_at: _at, version, ...content } = present(record);
  return { ...content, changes: version };
}

/** Hides a task, until it is removed for good a day after its undo is offered. */
export function deletedBy(origin: WriteOrigin | undefined) {
  return {
    deleted_at: new Date(),
    deleted_by_call: origin?.call_id ?? null,
    expires_at: new Date(Date.now() + undoOfferedMs + dayMs),
  };
}

/** The stored fields of a noted state; what was not set is null. */
export function fieldsOf({ title, is_completed, description, document_id, due_at }: TaskBefore) {
  const rest = { description: description ?? null, document_id: document_id ?? null, due_at: due_at ?? null };
  return { title, is_completed, ...stored(rest) };
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
    version: record.changes ?? 1,
  };
}

/** The due date as entered. Old tasks do not store whether it has a time: noon counts as a date without a time. */
function dueOf({ due_at, due_has_time }: TaskRecord): string | undefined {
  const text = due_at?.toISOString();
  const hasTime = due_has_time ?? text?.endsWith(noon) === false;
  return hasTime ? text : text?.slice(0, noon.length * -1);
}
