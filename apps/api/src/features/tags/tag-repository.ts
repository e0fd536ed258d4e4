import { DomainError, type OnArrival, type SeenFields, type Tag } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { readPage, type PageSelection } from '../../platform/database/page.ts';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import { hasInAnyCase } from '../../platform/database/name-search.ts';
import { readTogether } from '../../platform/database/joint-reads.ts';
import { isSameJson } from '../../platform/long-values/same-json.ts';
import { objectIdOf, objectIdsOf } from '../../platform/database/object-id.ts';
import { createTurnWriteRepositories, type TurnWriteRepository } from '../../turn-writes/turn-write-repository.ts';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import { tagModel, type TagRecord } from './tag-model.ts';
import { editAsSeen } from '../../platform/records/seen-edit.ts';
import { presentEach } from '../../platform/records/unreadable-records.ts';

export interface TagQuery extends PageSelection {
  name_search?: string | undefined;
}

/** The noted state of a tag before a write. */
export type TagBefore = Pick<Tag, 'name' | 'color' | 'description'> & { on_arrival?: OnArrival | null };

interface TagChange {
  seen?: SeenFields;
  name?: string | undefined;
  color?: string | undefined;
  description?: string | undefined;
  on_arrival?: OnArrival | undefined;
  never_to_model?: boolean | undefined;
}

/** The tags of one organization. A malformed id finds nothing; `name_taken` means that another tag has the name. */
export type TagRepository = ReturnType<typeof repositoryOf>;

const maxAppliedCalls = 200;

/** Creates the repository of each organization. */
export function createTagRepositories(connection: Connection): (organizationId: string) => TagRepository {
  const model = tagModel(connection);
  const writesOf = createTurnWriteRepositories(connection);
  return (organizationId) => repositoryOf(model, writesOf(organizationId), new mongoose.Types.ObjectId(organizationId));
}

/** Returns a function that throws `unknown_reference` if one of the ids is no tag of the organization. */
export function createTagCheck(
  connection: Connection,
): (organizationId: string, tagIds: readonly string[]) => Promise<void> {
  const tagsOf = createTagRepositories(connection);
  return async (organizationId, tagIds) => {
    const distinct = [...new Set(tagIds.map((id) => id.toLowerCase()))];
    if (distinct.length === 0) return;
    if ((await tagsOf(organizationId).count(distinct)) < distinct.length) {
      throw new DomainError(
        'invalid',
        'unknown_reference',
        'One of the tags does not exist. List the tags and use a tag_id from there.',
      );
    }
  };
}

/** Whether the record has all of these values already. */
const hasAll = (record: object, values: object): boolean =>
  Object.entries(values).every(([key, value]) => isSameJson((record as Record<string, unknown>)[key], value));

function repositoryOf(
  model: ReturnType<typeof tagModel>,
  writes: TurnWriteRepository,
  organization_id: mongoose.Types.ObjectId,
) {
  const record = async (id: string): Promise<TagRecord | undefined> => {
    const _id = objectIdOf(id);
    return _id && ((await model.findOne({ _id, organization_id }).lean()) ?? undefined);
  };
  const get = async (id: string): Promise<Tag | undefined> => {
    const found = await undeleted(id);
    return found && present(found);
  };
  const undeleted = async (id: string): Promise<TagRecord | undefined> => {
    const found = await record(id);
    return found?.deleted_at ? undefined : found;
  };
  const noteWrite = async (found: TagRecord, tool: string, origin: WriteOrigin | undefined) => {
    const { name, color, description, on_arrival = null } = found;
    const before: TagBefore = { name, color, description, on_arrival };
    await writes.note(origin, {
      tool,
      kind: 'tag',
      recordId: found._id.toHexString(),
      before,
      base: found.changes ?? 0,
    });
  };
  const noted = (origin: WriteOrigin | undefined) =>
    origin ? { $push: { applied_calls: { $each: [origin.call_id], $slice: -maxAppliedCalls } } } : {};
  /** @param unchanged selects the tag as it was read: nothing is written then, and undefined returned, unless it still is so */
  async function write(
    id: string,
    change: Omit<TagChange, 'seen'>,
    origin: WriteOrigin | undefined,
    unchanged: ((set: object) => object) | undefined,
  ): Promise<Tag | 'name_taken' | undefined> {
    const found = await record(id);
    if (!found) return undefined;
    if (origin && found.applied_calls.includes(origin.call_id)) return present(found);
    const set = {
      ...(change.name === undefined ? {} : { name: change.name, name_key: tagKeyOf(change.name) }),
      ...(change.color === undefined ? {} : { color: change.color.toLowerCase() }),
      ...(change.description === undefined ? {} : { description: change.description }),
      ...(change.on_arrival === undefined ? {} : { on_arrival: change.on_arrival }),
      ...(change.never_to_model === undefined ? {} : { never_to_model: change.never_to_model }),
    };
    if (!found.deleted_at) {
      if (hasAll(found, set)) return present(found);
      await noteWrite(found, 'update_tag', origin);
    }
    try {
      const { matchedCount } = await model.updateOne(
        {
          _id: found._id,
          organization_id,
          deleted_at: null,
          ...(origin ? { applied_calls: { $ne: origin.call_id } } : {}),
          ...unchanged?.(set),
        },
        {
          $set: set,
          $inc: { changes: 1 },
          ...noted(origin),
        },
      );
      if (unchanged && matchedCount === 0) return undefined;
    } catch (error) {
      if (isDuplicateKey(error)) return 'name_taken';
      throw error;
    }
    return await get(id);
  }
  return {
    get,
    async list({ name_search, ...page }: TagQuery) {
      const filter: QueryFilter<TagRecord> = { organization_id, deleted_at: null };
      if (name_search) filter.name = hasInAnyCase(name_search);
      const { records, end } = await readPage(model, filter, { ...page, sort: { name_key: 1 } });
      return { tags: presentEach(records, present), ...end };
    },
    countAll: (): Promise<number> => model.countDocuments({ organization_id, deleted_at: null }),
    /** The number of ids that are tags. */
    async count(ids: string[]) {
      return await model.countDocuments({ _id: { $in: objectIdsOf(ids) }, organization_id, deleted_at: null });
    },
    /** Those of the tags that start something on arrival. */
    async startingOnArrival(ids: readonly string[]) {
      const starting = { _id: { $in: objectIdsOf(ids) }, organization_id, deleted_at: null, on_arrival: { $ne: null } };
      return (await model.find(starting).lean()).flatMap((each) =>
        each.on_arrival ? [{ ...present(each), on_arrival: each.on_arrival }] : [],
      );
    },
    /** Those of the tags that keep documents from models; without ids, of all tags. */
    async keeping(ids?: readonly string[]) {
      if (ids?.length === 0) return [];
      const among = ids === undefined ? {} : { _id: { $in: objectIdsOf(ids) } };
      const keeping = { ...among, organization_id, deleted_at: null, never_to_model: true };
      return (await readTogether(model, keeping, { projection: { _id: 1 } })).map(({ _id }) => _id.toHexString());
    },
    /** The ids that are no tags. */
    async missing(ids: string[]) {
      const found = await model.distinct('_id', { _id: { $in: objectIdsOf(ids) }, organization_id, deleted_at: null });
      const existing = new Set(found.map((id) => id.toHexString()));
      return ids.filter((id) => !existing.has(id.toLowerCase()));
    },
    async create(
      {
        on_arrival,
        never_to_model,
        ...tag
      }: {
        name: string;
        color: string;
        description: string;
        created_by: string;
        on_arrival?: OnArrival | undefined;
        never_to_model?: true | undefined;
      },
      origin?: WriteOrigin,
    ) {
      await writes.note(origin, { tool: 'create_tag', kind: 'tag', before: null, base: 0 });
      try {
        const created = await model.create({
          ...tag,
          ...(on_arrival && { on_arrival }),
          ...(never_to_model && { never_to_model }),
          organization_id,
          name_key: tagKeyOf(tag.name),
          ...(origin ? { call_id: origin.call_id, applied_calls: [origin.call_id] } : {}),
          changes: 1,
          created_at: new Date(),
        });
        return present(created.toObject());
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const earlier = origin && (await model.findOne({ organization_id, call_id: origin.call_id }).lean());
        return earlier ? present(earlier) : 'name_taken';
      }
    },
    /** A repeated call changes nothing. */
    async update(id: string, { seen, ...change }: TagChange, origin?: WriteOrigin) {
      return await editAsSeen({ what: 'tag', seen, read: () => undeleted(id), present }, (unchanged) =>
        write(id, change, origin, seen && unchanged),
      );
    },
    /** False if the tag does not exist. */
    async remove(id: string, origin?: WriteOrigin) {
      const found = await record(id);
      if (!found) return false;
      // It may have been restored since.
      if (origin && found.applied_calls.includes(origin.call_id)) return true;
      if (!found.deleted_at) await noteWrite(found, 'delete_tag', origin);
      const { matchedCount } = await model.updateOne(
        { _id: found._id, organization_id, deleted_at: null },
        {
          $set: { deleted_at: new Date(), deleted_by_call: origin?.call_id ?? null },
          $unset: { name_key: 1 },
          $inc: { changes: 1 },
          ...noted(origin),
        },
      );
      if (matchedCount === 1) return true;
      return origin !== undefined && (await record(id))?.deleted_by_call === origin.call_id;
    },
  };
}

/** "Invoice" and "invoice" are the same name, in any Unicode normal form. */
export function tagKeyOf(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

function present(record: TagRecord): Tag {
  return {
    tag_id: record._id.toHexString(),
    name: record.name,
    color: record.color,
    description: record.description,
    created_at: record.created_at.toISOString(),
    created_by: record.created_by,
    ...(record.on_arrival && { on_arrival: record.on_arrival }),
    ...(record.never_to_model === true && { never_to_model: true }),
  };
}
