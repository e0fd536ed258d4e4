import { foldText } from '@docwright/language';
import { indexOutbox, type OutboxEvent } from '../../event-log/index.ts';
import type { ModelRunPrompt } from './model-run-prompt.ts';
import type { Connection, Model, Types } from 'mongoose';
import { field, modelOf, recordSchema, type StoredRecord } from '../../../platform/records/record-model.ts';
import type { StoredLease } from '../../../platform/leases/leases.ts';
import { createSharedLeases, type SharedLeases } from '../../../platform/leases/shared-leases.ts';
import { keepStages } from '../stages/staged-write-repository.ts';
import { stageOf, type KeptStage } from '../stages/stage-of-document.ts';
import { findsByParts, patternOf, rarestPart } from '../../../platform/database/name-search.ts';
import { keepNameParts } from './name-part-repository.ts';
import type {
  AutoCreateStatus,
  DocumentRelease,
  DocumentRouting,
  DocumentState,
  MachineData,
  SignatureField,
  OnArrival,
  OnAsk,
  Role,
  UnreadPart,
} from '@docwright/contract';

/** The proposal that an unattended run makes for a document, and its state. */
export interface AutoCreateRecord {
  status: AutoCreateStatus;
  run_id: string;
  schema_revid?: string;
  prompt_revid?: string;
  /** The run waits for a decision in the inbox. */
  waiting?: true;
  /** The prompt of `prompt_revid`. Proposals with the same prompt are of one kind. */
  prompt_id?: string;
  /** The existing prompt and schema that the run used instead of creating new ones. */
  reuses?: { prompt_revid: string; schema_revid?: string; accepted: boolean };
  /** The tag of its kind that the document gets with the proposal and loses with its rejection. */
  given_tag?: string;
  /** The decision that accepted or rejected it, and the tag that the document got on acceptance. */
  decision_id?: string;
  accepted_tag?: string;
  done_at?: Date;
  error?: { code: string; message: string };
  /** A stored decision, or the undo of one, that is not executed completely yet. */
  unfinished?: {
    user_id: string;
    tag_id?: string;
    decision_id?: string;
    including_verified?: true;
    undo?: true;
  };
  /** The rejection that was undone, so that the proposal is pending again. */
  undone?: string;
}

/** The `deleted_at` of a document that is being removed for good: older than any real date. */
export const beingPurged = new Date(0);

/** Selects documents that can be restored, as the indexes of the trash do. */
export const inTheTrash = { deleted_at: { $gt: beingPurged } };

/** A document as stored; the bytes are in the database or a bucket under `file_id`, the pages in their own collection. */
export type DocumentRecord = StoredRecord<typeof documentSchema>;

const documentSchema = recordSchema(
  {
    organization_id: field.objectId,
    document_name: field.text,
    /** The key for sorting and searching by name; see `nameKeyOf`. */
    name_key: field.text.default(({ document_name }: { document_name: string }) => nameKeyOf(document_name)),
    /** The parts of the key by which it is found; absent in the embedded database. */
    name_parts: field.text.list().optional(),
    mime_type: field.text,
    size_bytes: field.number,
    file_id: field.objectId,
    page_count: field.number.orNull(),
    /** Pages whose text has been stored so far, while it is being read. */
    pages_done: field.number.default(0),
    state: field.oneOf<DocumentState>(),
    state_error: field.mixed<{ code: string; message: string }>().optionalOrNull(),
    /** What could not be read. While pages are recognised, only what is on no page. */
    unread: field.mixed<UnreadPart[]>().optionalOrNull(),
    /** Its machine-readable data. */
    machine_data: field.mixed<MachineData[]>().optionalOrNull(),
    signatures: field.mixed<SignatureField[]>().optionalOrNull(),
    tag_ids: field.objectId.list(),
    metadata: field.mixed<Record<string, unknown>>().default({}),
    upload_date: field.date,
    uploaded_by: field.objectId,
    /** The lease of the process that reads the text. */
    claim: field.mixed<StoredLease>().optionalOrNull(),
    /** How often reading was started. A document that repeatedly kills its reader fails. */
    attempts: field.number.default(0),
    /** Set once reading took longer than the time of the quick lane. */
    reading_lane: field.oneOf<'long'>().optionalOrNull(),
    /** Set while pages are to be recognised: when the document was last processed. The oldest is next. */
    ocr_turn: field.date.optionalOrNull(),
    /** When the lease of the model runs expires, by the database's clock. After that their processes are dead. */
    model_lease_until: field.date.optionalOrNull(),
    /** The tokens of the active model runs. A run whose token is missing must not write anymore. */
    model_runs: field.text.list().optionalOrNull(),
    /** The prompts of these runs. */
    model_run_prompts: field.mixed<ModelRunPrompt>().list().optionalOrNull(),
    auto_create: field.mixed<AutoCreateRecord>().optionalOrNull(),
    /** A pending run that was requested at the upload: its future id and its maximum role. */
    auto_create_request: field.mixed<{ run_id: string; role: Role; on_ask?: OnAsk }>().optionalOrNull(),
    /** The source of a document that was split off. */
    split_from: field.mixed<{ document_id: Types.ObjectId; pages: [number, number][] }>().optional(),
    /** The first document of one split. The documents of a split are undone together. */
    split_group: field.objectId.optional(),
    /** What its results ask of users, for the stages of lists. Derived from the review queue and the results. */
    review: field.mixed<{ to_check: number; is_verified: boolean; is_incomplete: boolean }>().optional(),
    /** Counts the writes of `review`: one applies only if no other one was made since it was read. */
    review_writes: field.number.optional(),
    /** The release of the newest result of each prompt, for lists. Derived from the results. */
    releases: field.mixed<DocumentRelease>().list().optional(),
    /** What comes next for it. Absent after a change, until it follows from the other fields again. */
    stage: field.oneOf<KeptStage>().default(stageOf).optional(),
    /** The document that this one was a file of. */
    attached_to: field.objectId.optional(),
    /** That document and those around it, the outermost first. */
    attached_path: field.objectId.list().optional(),
    /** The document and the place in it: reading it again inserts nothing twice. */
    attachment_key: field.text.optional(),
    /** Set if files inside of it are no documents. */
    include_attachments: field.flag.optional(),
    /** The SHA-256 of the bytes, as hex; older documents and parts of a split have none. */
    sha256: field.text.optional(),
    /** The document with the same bytes. Its duplicates are not read. */
    duplicate_of: field.objectId.optionalOrNull(),
    /** Set if a user or the organization's setting says that equal bytes do not make it a duplicate. */
    is_own: field.mark.optional(),
    /** The organization, while a user waits for the text: one of a few documents that were uploaded. They are read first. */
    read_first_in: field.objectId.optional(),
    source_id: field.objectId.optional(),
    /** The same for the same content of the same file of a source. */
    source_key: field.text.optional(),
    /** Versions of one file of a source. */
    replaces: field.objectId.optionalOrNull(),
    replaced_by: field.objectId.optionalOrNull(),
    /** The organization of a replaced document: a sparse index shows whether a list has any. */
    replaced_in: field.objectId.optionalOrNull(),
    /** A later version that is in the trash, so that this one is listed again. */
    replaced_before: field.objectId.optionalOrNull(),
    missing_since: field.date.optionalOrNull(),
    /** The document's organization if no model may see the document: a sparse index finds whether there are any. */
    never_to_model_in: field.objectId.optionalOrNull(),
    /** Tags and the source that keep documents from models, but not this one: an admin has cleared it. */
    shown_despite: field.objectId.list().optional(),
    /** Events that are still to be published. */
    event_outbox: field.mixed<OutboxEvent>().list().optional(),
    routing: field.mixed<DocumentRouting>().optionalOrNull(),
    /** Set until the document is routed, which follows the reading of its text. */
    routing_due: field.mark.optional(),
    /** Set until its tags have started what they start on arrival. */
    arrival_due: field.mark.optional(),
    /** What its tags have started: the id of a prompt, or `auto_create`. `run_id` until the run is stored. */
    arrivals: field.mixed<{ key: string; run_id?: string | null }>().list().optional(),
    /** What starts on arrival, if a route with its own `on_arrival` replaces that of its tags. */
    route_arrival: field.mixed<OnArrival & { tag_ids: string[] }>().optionalOrNull(),
    /** What the product decided, or proposed, by more than rules: later decisions of users calibrate its certainty. */
    routing_judged: field.mixed<{ kind: 'like' | 'described'; route_id: string; score: number }>().optionalOrNull(),
    /** The calls of agents that changed or deleted it. */
    applied_calls: field.text.list(),
    /** Counts all changes of name, tags and metadata and all deletions. Undo reports a conflict if it has moved on. */
    changes: field.number.default(0),
    /** Set while the document is in the trash; `beingPurged` once it cannot be restored. */
    deleted_at: field.date.orNull(),
    /** The user who deleted it, or whose agent or bulk job did. */
    deleted_by: field.objectId.optionalOrNull(),
    /** The document with which it was moved to the trash: restored together. */
    deleted_with: field.objectId.optionalOrNull(),
    /** The call of an agent, or the bulk job, that deleted it. */
    deleted_by_call: field.text.orNull(),
  },
  { collection: 'documents', keepsEmptyObjects: true },
);
// The list in each order and with its most common filters: these indexes alone answer pages and counts.
documentSchema.index({ organization_id: 1, deleted_at: 1, upload_date: -1, _id: -1 });
documentSchema.index({ organization_id: 1, deleted_at: 1, name_key: 1, _id: 1 });
documentSchema.index({ organization_id: 1, deleted_at: 1, size_bytes: 1, _id: 1 });
documentSchema.index({ organization_id: 1, deleted_at: 1, state: 1, upload_date: -1, _id: -1 });
documentSchema.index({ organization_id: 1, deleted_at: 1, tag_ids: 1, upload_date: -1, _id: -1 });
documentSchema.index({ organization_id: 1, deleted_at: 1, 'releases.state': 1, upload_date: -1, _id: -1 });
// Releases without version 17 of the database create others for stages, which says that one of them has run since.
documentSchema.index({ organization_id: 1, deleted_at: 1, stage: 1, upload_date: -1, _id: -1 });
// The trash in each order and with its filters: these hold the few documents that are in it.
for (const fields of [
  { deleted_at: -1 },
  { upload_date: -1 },
  { name_key: 1 },
  { size_bytes: 1 },
  { state: 1, deleted_at: -1 },
  { tag_ids: 1, deleted_at: -1 },
] as Record<string, 1 | -1>[])
  documentSchema.index(
    { organization_id: 1, ...fields, _id: Object.values(fields).at(-1)! },
    { partialFilterExpression: inTheTrash },
  );
documentSchema.index({ organization_id: 1, sha256: 1 });
documentSchema.index(
  { organization_id: 1, source_key: 1 },
  { unique: true, partialFilterExpression: { source_key: { $exists: true } } },
);
documentSchema.index({ read_first_in: 1, upload_date: 1 }, { sparse: true });
documentSchema.index({ organization_id: 1, deleted_at: 1, 'routing.state': 1, upload_date: -1, _id: -1 });
documentSchema.index({ organization_id: 1, 'routing.by': 1, upload_date: -1, _id: -1 });
documentSchema.index({ 'split_from.document_id': 1 }, { sparse: true });
documentSchema.index(
  { organization_id: 1, attachment_key: 1 },
  { unique: true, partialFilterExpression: { attachment_key: { $exists: true } } },
);
indexOutbox(documentSchema);
for (const field of ['source_id', 'duplicate_of', 'split_group', 'missing_since'])
  documentSchema.index({ [field]: 1 }, { sparse: true });
for (const field of [
  'routing_due',
  'replaced_in',
  'never_to_model_in',
  'attached_path',
  'deleted_with',
  'replaced_before',
])
  documentSchema.index({ [field]: 1 }, { sparse: true });
documentSchema.index(
  { organization_id: 1, _id: 1 },
  { partialFilterExpression: { arrival_due: true }, name: 'arrivals_due' },
);
documentSchema.index({ deleted_at: 1 });
documentSchema.index({ applied_calls: 1 }, { sparse: true });
documentSchema.index({ state: 1, organization_id: 1, upload_date: 1 });
documentSchema.index({ state: 1, ocr_turn: 1 });
documentSchema.index({ 'claim.token': 1 }, { sparse: true });
documentSchema.index({ 'auto_create_request.run_id': 1 }, { sparse: true });
documentSchema.index({ organization_id: 1, deleted_at: 1, 'auto_create.status': 1, upload_date: -1, _id: -1 });
// The kinds of proposals, how many documents each has, and the first of them by name.
const ofKind = { organization_id: 1, 'auto_create.status': 1, 'auto_create.prompt_id': 1, deleted_at: 1 } as const;
documentSchema.index({ ...ofKind, name_key: 1, _id: 1 });
documentSchema.index({ 'auto_create.unfinished.user_id': 1 }, { sparse: true });

/** The fields that take a document out of the trash. */
export const outOfTrash = { deleted_at: null, deleted_by: null, deleted_by_call: null, deleted_with: null } as const;

/** Names are sorted and searched without regard to case and accents. */
export function nameKeyOf(name: string): string {
  return foldText(name);
}

/** What `createNameIndex` indexes for the lists of documents. */
export const nameIndex = {
  collection: 'documents',
  path: 'name_key',
  parts: 'name_parts',
  within: ['organization_id', 'deleted_at'],
  order: { upload_date: -1, _id: -1 },
} as const;

/** Selects documents with this text in their name, ignoring case and accents. Uses an index of its parts. */
export function nameHas(
  text: string,
  connection: Connection | undefined,
): { name_key: { $regex: string }; name_parts?: { $in: (string | null)[] } } {
  const key = nameKeyOf(text);
  const part = connection && findsByParts(connection) ? rarestPart(key) : undefined;
  const name_key = { $regex: patternOf(key) };
  // Until the parts of a document are stored, its key alone decides.
  return part === undefined ? { name_key } : { name_key, name_parts: { $in: [part, null] } };
}

const modelOfDocuments = modelOf('Document', documentSchema);

export function documentModel(connection: Connection): Model<DocumentRecord> {
  const model = modelOfDocuments(connection);
  keepNameParts(connection, model.collection);
  keepStages(connection, model.collection);
  return model;
}

/** The leases of model runs. A document is being processed while one of its runs renews the lease. */
export function modelRunLeases(connection: Connection): SharedLeases {
  return createSharedLeases(documentModel(connection).collection, { tokens: 'model_runs', until: 'model_lease_until' });
}
