import type { Connection, Types } from 'mongoose';
import { threadMessageModel, threadModel } from '../../features/threads/index.ts';
import { turnEventsModel, turnModel } from '../../features/turns/index.ts';
import { dropIndex } from './drop-index.ts';

/** Their replacements begin with the organization, as a shard key does. */
const formerIndexes = {
  documents: ['source_key_1', 'attachment_key_1'],
  document_pages: ['document_id_1_page_num_1'],
  extractions: ['document_id_1_prompt_revid_1', 'document_id_1_changed_at_-1', 'document_id_1_issues.code_1'],
  extraction_versions: ['document_id_1_prompt_revid_1_version_-1'],
  agent_turns: ['thread_id_1_status_1', 'one_running'],
  agent_turn_events: ['turn_id_1_first_id_1'],
  agent_thread_messages: ['thread_id_1_number_1'],
};

const parentsAtATime = 500;

/** Messages of threads and events of turns get the organization of their thread or turn. */
export async function findByOrganization(connection: Connection): Promise<void> {
  const [messages, events] = [threadMessageModel(connection), turnEventsModel(connection)];
  const missing = { organization_id: { $exists: false } };
  // The former indexes find the messages and events of a parent, so they go last.
  await eachGroup(threadModel(connection).collection, (organization_id, ids) =>
    messages.updateMany({ thread_id: { $in: ids }, ...missing }, { $set: { organization_id } }),
  );
  await eachGroup(turnModel(connection).collection, (organization_id, ids) =>
    events.updateMany({ turn_id: { $in: ids }, ...missing }, { $set: { organization_id } }),
  );
  for (const [collection, names] of Object.entries(formerIndexes)) {
    for (const name of names) await dropIndex(connection, collection, name);
  }
}

async function eachGroup(
  parents: ReturnType<Connection['collection']>,
  change: (organizationId: Types.ObjectId, ids: Types.ObjectId[]) => Promise<unknown>,
): Promise<void> {
  for (const organizationId of await parents.distinct('organization_id')) {
    let ids: Types.ObjectId[] = [];
    for await (const { _id } of parents.find({ organization_id: organizationId }, { projection: { _id: 1 } })) {
      ids.push(_id);
      if (ids.length < parentsAtATime) continue;
      await change(organizationId, ids);
      ids = [];
    }
    if (ids.length > 0) await change(organizationId, ids);
  }
}
