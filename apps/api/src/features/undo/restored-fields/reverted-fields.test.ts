import mongoose, { type Connection, type Model } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDocumentUndo } from '../../documents/index.ts';
import { documentModel } from '../../documents/records/document-model.ts';
import { createExtractionUndo } from '../../extractions/index.ts';
import { extractionModel } from '../../extractions/records/extraction-model.ts';
import { createRevisionUndo } from '../../revisions/index.ts';
import { revisionModels } from '../../revisions/revision-model.ts';
import { createTagUndo } from '../../tags/index.ts';
import { tagModel } from '../../tags/tag-model.ts';
import { createTaskUndo } from '../../tasks/index.ts';
import { taskModel } from '../../tasks/task-model.ts';
import { connectTestDatabase } from '../../../testing/test-database.ts';
import type { UndoableRecords } from '../../../turn-writes/undoable-records.ts';

const { EJSON } = mongoose.mongo.BSON;

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(async () => connection.close());

const organizationId = 'a'.repeat(24);
const organization_id = new mongoose.Types.ObjectId(organizationId);
const revisionUndo = (kind: 'schema' | 'prompt') =>
  createRevisionUndo(connection, { kind, facetsOf: () => ({}), obstacles: async () => [] })(organizationId);

interface Kind {
  model: () => Model<never>;
  undo: () => UndoableRecords;
  /** What an undo that fails half-way leaves as it is then: nobody's write of these counts as a change. */
  leaves: string[];
}

const namesOf = (text: string) => text.split(/\s+/u);

const kinds: Record<string, Kind> = {
  tag: {
    model: () => tagModel(connection) as never,
    undo: () => createTagUndo(connection, { usersOf: async () => [] })(organizationId),
    leaves: [],
  },
  task: {
    model: () => taskModel(connection) as never,
    undo: () => createTaskUndo(connection)(organizationId),
    leaves: [],
  },
  schema: {
    model: () => revisionModels(connection, 'schema').artifacts as never,
    undo: () => revisionUndo('schema'),
    leaves: ['review'],
  },
  prompt: {
    model: () => revisionModels(connection, 'prompt').artifacts as never,
    undo: () => revisionUndo('prompt'),
    leaves: ['review'],
  },
  document: {
    model: () => documentModel(connection) as never,
    undo: () => createDocumentUndo(connection, { missingTags: async () => [] })(organizationId),
    // The states of reading, of proposals, of arrival and of releases; versions and duplicates; protection from models.
    leaves: namesOf(`claim attempts reading_lane ocr_turn page_count pages_done read_first_in size_bytes state
state_error unread machine_data signatures sha256 missing_since event_outbox model_lease_until
model_runs model_run_prompts auto_create auto_create_request arrival_due arrivals route_arrival
routing_due routing_judged review review_writes releases stage name_parts duplicate_of is_own
replaces replaced_by replaced_in replaced_before never_to_model_in shown_despite`),
  },
  extraction: {
    model: () => extractionModel(connection) as never,
    undo: () =>
      createExtractionUndo(connection, { onLastRemoved: async () => undefined, onRestore: async () => undefined })(
        organizationId,
      ),
    leaves: namesOf(`review_pending release_pending release_retry_at outbox index_pending announce_pending
announced_version`),
  },
};

it.each(Object.entries(kinds))(
  'reverts each field of a %s whose undo fails half-way',
  async (kind, { model, undo, leaves }) => {
    const { collection, schema } = model();
    const fields = [...new Set(Object.keys(schema.paths).map((path) => path.split('.')[0]!))];
    const own = ['_id', 'organization_id', 'document_id', 'changes', 'applied_calls'];
    const _id = kind === 'task' ? 'b'.repeat(24) : new mongoose.Types.ObjectId('b'.repeat(24));
    const all = (value: string) =>
      Object.fromEntries(fields.filter((field) => !own.includes(field)).map((field) => [field, value]));
    const identity = { _id, organization_id, document_id: organization_id };
    const callOf = (call: string) => (kind === 'schema' || kind === 'prompt' ? { call_id: call } : call);
    const former = { ...identity, ...all('before'), changes: 1, applied_calls: [callOf('first')] };
    await collection.insertOne({
      ...identity,
      ...all('after'),
      changes: 5,
      applied_calls: [callOf('first'), callOf('undo')],
    } as never);
    const record = EJSON.stringify(former, { relaxed: false });
    expect(await undo().revert({ id: String(_id), record, base: 5, callId: 'undo' })).toBe(true);
    const reverted = (await collection.findOne({ _id } as never))!;
    expect([reverted['changes'], reverted['applied_calls']]).toEqual([1, former.applied_calls]);
    const left = Object.keys(all('before')).filter((field) => reverted[field] !== 'before');
    expect(left.toSorted()).toEqual(leaves.toSorted());
  },
);
