import type { Connection, Types } from 'mongoose';
import { threadMessageModel, threadModel } from '../../features/threads/index.ts';
import { turnEventsModel, turnModel } from '../../features/turns/index.ts';
import { dropIndex, hasIndex } from './drop-index.ts';

/** Their replacements begin with the organization, as a shard key does. */
const formerIndexes = {
  documents: ['source_key_1', 'attachment_key_1', 'arrival_due_1'],
  document_pages: ['document_id_1_page_num_1'],
  extractions: ['document_id_1_prompt_revid_1', 'document_id_1_changed_at_-1', 'document_id_1_issues.code_1'],
  extraction_versions: ['document_id_1_prompt_revid_1_version_-1'],
  agent_turns: ['thread_id_1_status_1', 'one_running'],
  agent_turn_events: ['turn_id_1_first_id_1'],
  agent_thread_messages: ['thread_id_1_number_1'],
};

/** Of version 20. */
const formerIndexesOfEntries = [
  'collection_id_1_document_id_1',
  'collection_id_1_state_1__id_1',
  'collection_id_1_failure.category_1',
  'document_id_1',
] as const;

const parentsAtATime = 500;

/**
 * Messages of threads and events of turns get the organization of their thread or turn, also those that a process of an
 * older release stored beside this one.
 */
export async function nameOrganizations(connection: Connection): Promise<void> {
  await nameOrganizationsOf(threadMessageModel(connection).collection, 'thread_id', threadModel(connection).collection);
  await nameOrganizationsOf(turnEventsModel(connection).collection, 'turn_id', turnModel(connection).collection);
}

type Stored = ReturnType<Connection['collection']>;

async function nameOrganizationsOf(records: Stored, field: 'thread_id' | 'turn_id', parents: Stored): Promise<void> {
  const missing = { organization_id: { $exists: false } };
  // The index of organization and parent has them in this order. A record without a parent stays as it is.
  const first = {
    sort: { organization_id: 1, [field]: 1 },
    projection: { [field]: 1 },
    limit: parentsAtATime,
  } as const;
  for (let after: object = missing; ;) {
    const found = await records.find(after, first).toArray();
    const last = found.at(-1)?.[field] as Types.ObjectId | undefined;
    if (last === undefined) return;
    const ids = found.map((record) => record[field] as Types.ObjectId);
    const owners = await parents.find({ _id: { $in: ids } }, { projection: { organization_id: 1 } }).toArray();
    for (const [organization_id, own] of Map.groupBy(owners, (owner) => owner['organization_id'] as Types.ObjectId)) {
      const filter = { ...missing, [field]: { $in: own.map(({ _id }) => _id) } };
      await records.updateMany(filter, { $set: { organization_id } });
    }
    after = { ...missing, [field]: { $gt: last } };
  }
}

/** Whether a process of a release without version 20 has run since these indexes were dropped. */
export async function hasOlderRun(connection: Connection): Promise<boolean> {
  return await hasIndex(connection, 'collection_documents', formerIndexesOfEntries[0]);
}

/** Releases without version 20 create them anew. */
export async function dropFormerIndexesOfEntries(connection: Connection): Promise<void> {
  for (const name of formerIndexesOfEntries) await dropIndex(connection, 'collection_documents', name);
}

/** The former indexes slow down every write. Releases without version 16 need them, and create them at each start. */
export async function dropFormerIndexes(connection: Connection): Promise<void> {
  for (const [collection, names] of Object.entries(formerIndexes)) {
    for (const name of names) await dropIndex(connection, collection, name);
  }
}
