import { foldText } from '@docwright/language';
import type { OutboxEvent } from '../../event-log/index.ts';
import type { AutoCreateRecord } from './auto-create-record.ts';
import { stageFilter } from './document-stage.ts';
import type { ModelRunPrompt } from './model-run-prompt.ts';
import mongoose, { type Connection, type Model, type QueryFilter, type Types } from 'mongoose';
import type { StoredLease } from '../../../platform/leases/leases.ts';
import { createSharedLeases, type SharedLeases } from '../../../platform/leases/shared-leases.ts';
import { objectIdsOf } from '../../../platform/database/object-id.ts';
import { patternOf } from '../../../platform/database/name-search.ts';
import type {
  DocumentRelease,
  DocumentRouting,
  DocumentSelection,
  DocumentState,
  MachineData,
  SignatureField,
  OnArrival,
  OnAsk,
  Role,
  UnreadPart,
} from '@docwright/contract';

/** A document as stored; the bytes are in the database or a bucket under `file_id`, the pages in their own collection. */
export interface DocumentRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  document_name: string;
  /** The key for sorting and searching by name; see `nameKeyOf`. */
  name_key: string;
  mime_type: string;
  size_bytes: number;
  file_id: Types.ObjectId;
  page_count: number | null;
  /** Pages whose text has been stored so far, while it is being read. */
  pages_done: number;
  state: DocumentState;
  state_error?: { code: string; message: string } | null;
  /** What could not be read. While pages are recognised, only what is on no page. */
  unread?: UnreadPart[] | null;
  /** Its machine-readable data. */
  machine_data?: MachineData[] | null;
  signatures?: SignatureField[] | null;
  tag_ids: Types.ObjectId[];
  metadata: Record<string, unknown>;
  upload_date: Date;
  uploaded_by: Types.ObjectId;
  /** The lease of the process that reads the text. */
  claim?: StoredLease | null;
  /** How often reading was started. A document that repeatedly kills its reader fails. */
  attempts: number;
  /** Set once reading took longer than the time of the quick lane. */
  reading_lane?: 'long' | null;
  /** Set while pages are to be recognised: when the document was last processed. The oldest is next. */
  ocr_turn?: Date | null;
  /** When the lease of the model runs expires, by the database's clock. After that their processes are dead. */
  model_lease_until?: Date | null;
  /** The tokens of the active model runs. A run whose token is missing must not write anymore. */
  model_runs?: string[] | null;
  /** The prompts of these runs. */
  model_run_prompts?: ModelRunPrompt[] | null;
  auto_create?: AutoCreateRecord | null;
  /** A pending run that was requested at the upload: its future id and its maximum role. */
  auto_create_request?: { run_id: string; role: Role; on_ask?: OnAsk } | null;
  /** The source of a document that was split off. */
  split_from?: { document_id: Types.ObjectId; pages: [number, number][] };
  /** The first document of one split. The documents of a split are undone together. */
  split_group?: Types.ObjectId;
  /** What its results ask of users, for the stages of lists. Derived from the review queue and the results. */
  review?: { to_check: number; is_verified: boolean; is_incomplete: boolean };
  /** Counts the writes of `review`: one applies only if no other one was made since it was read. */
  review_writes?: number;
  /** The release of the newest result of each prompt, for lists. Derived from the results. */
  releases?: DocumentRelease[];
  /** The document that this one was a file of. */
  attached_to?: Types.ObjectId;
  /** That document and those around it, the outermost first. */
  attached_path?: Types.ObjectId[];
  /** The document and the place in it: reading it again inserts nothing twice. */
  attachment_key?: string;
  /** Set if files inside of it are no documents. */
  include_attachments?: false;
  /** The SHA-256 of the bytes, as hex; older documents and parts of a split have none. */
  sha256?: string;
  /** The document with the same bytes. Its duplicates are not read. */
  duplicate_of?: Types.ObjectId | null;
  /** Set if a user or the organization's setting says that equal bytes do not make it a duplicate. */
  is_own?: true;
  /** The organization, while a user waits for the text: one of a few documents that were uploaded. They are read first. */
  read_first_in?: Types.ObjectId;
  source_id?: Types.ObjectId;
  /** The same for the same content of the same file of a source. */
  source_key?: string;
  /** Versions of one file of a source. */
  replaces?: Types.ObjectId | null;
  replaced_by?: Types.ObjectId | null;
  /** The organization of a replaced document: a sparse index shows whether a list has any. */
  replaced_in?: Types.ObjectId | null;
  missing_since?: Date | null;
  /** The document's organization if no model may see the document: a sparse index finds whether there are any. */
  never_to_model_in?: Types.ObjectId | null;
  /** Tags and the source that keep documents from models, but not this one: an admin has cleared it. */
  shown_despite?: Types.ObjectId[];
  /** Events that are still to be published. */
  event_outbox?: OutboxEvent[];
  routing?: DocumentRouting | null;
  /** Set until the document is routed, which follows the reading of its text. */
  routing_due?: true;
  /** Set until its tags have started what they start on arrival. */
  arrival_due?: true;
  /** What its tags have started: the id of a prompt, or `auto_create`. `run_id` until the run is stored. */
  arrivals?: { key: string; run_id?: string | null }[];
  /** What starts on arrival, if a route with its own `on_arrival` replaces that of its tags. */
  route_arrival?: (OnArrival & { tag_ids: string[] }) | null;
  /** What the product decided, or proposed, by more than rules: later decisions of users calibrate its certainty. */
  routing_judged?: { kind: 'like' | 'described'; route_id: string; score: number } | null;
  /** The calls of agents that changed or deleted it. */
  applied_calls: string[];
  /** Counts all changes of name, tags and metadata and all deletions. Undo reports a conflict if it has moved on. */
  changes: number;
  /** Set while the document is in the trash; `beingPurged` once it cannot be restored. */
  deleted_at: Date | null;
  /** The user who deleted it, or whose agent or bulk job did. */
  deleted_by?: Types.ObjectId | null;
  /** The document with which it was moved to the trash: restored together. */
  deleted_with?: Types.ObjectId | null;
  /** The call of an agent, or the bulk job, that deleted it. */
  deleted_by_call: string | null;
}

const documentSchema = new mongoose.Schema<DocumentRecord>(
  {
    organization_id: { type: mongoose.Schema.Types.ObjectId, required: true },
    document_name: { type: String, required: true },
    name_key: { type: String, default: ({ document_name }: DocumentRecord) => nameKeyOf(document_name) },
    mime_type: { type: String, required: true },
    size_bytes: { type: Number, required: true },
    file_id: { type: mongoose.Schema.Types.ObjectId, required: true },
    page_count: { type: Number, default: null },
    pages_done: { type: Number, default: 0 },
    state: { type: String, required: true },
    state_error: { type: mongoose.Schema.Types.Mixed },
    unread: { type: mongoose.Schema.Types.Mixed },
    machine_data: { type: mongoose.Schema.Types.Mixed },
    signatures: { type: mongoose.Schema.Types.Mixed },
    tag_ids: { type: [mongoose.Schema.Types.ObjectId], default: [] },
    metadata: { type: mongoose.Schema.Types.Mixed, default: {} },
    upload_date: { type: Date, required: true },
    uploaded_by: { type: mongoose.Schema.Types.ObjectId, required: true },
    claim: { type: mongoose.Schema.Types.Mixed },
    attempts: { type: Number, default: 0 },
    reading_lane: { type: String },
    ocr_turn: { type: Date },
    model_lease_until: { type: Date },
    model_runs: { type: [String], default: undefined },
    model_run_prompts: { type: [mongoose.Schema.Types.Mixed], default: undefined },
    auto_create: { type: mongoose.Schema.Types.Mixed },
    auto_create_request: { type: mongoose.Schema.Types.Mixed },
    split_from: { type: mongoose.Schema.Types.Mixed },
    split_group: { type: mongoose.Schema.Types.ObjectId },
    review: { type: mongoose.Schema.Types.Mixed },
    review_writes: { type: Number },
    releases: { type: [mongoose.Schema.Types.Mixed], default: undefined },
    attached_to: { type: mongoose.Schema.Types.ObjectId },
    attached_path: { type: [mongoose.Schema.Types.ObjectId], default: undefined },
    attachment_key: { type: String },
    include_attachments: { type: Boolean },
    deleted_with: { type: mongoose.Schema.Types.ObjectId },
    sha256: { type: String },
    duplicate_of: { type: mongoose.Schema.Types.ObjectId },
    is_own: { type: Boolean },
    read_first_in: { type: mongoose.Schema.Types.ObjectId },
    source_id: { type: mongoose.Schema.Types.ObjectId },
    source_key: { type: String },
    replaces: { type: mongoose.Schema.Types.ObjectId },
    replaced_by: { type: mongoose.Schema.Types.ObjectId },
    replaced_in: { type: mongoose.Schema.Types.ObjectId },
    missing_since: { type: Date },
    never_to_model_in: { type: mongoose.Schema.Types.ObjectId },
    shown_despite: { type: [mongoose.Schema.Types.ObjectId], default: undefined },
    event_outbox: { type: [mongoose.Schema.Types.Mixed], default: undefined },
    routing: { type: mongoose.Schema.Types.Mixed },
    routing_due: { type: Boolean },
    arrival_due: { type: Boolean },
    arrivals: { type: [mongoose.Schema.Types.Mixed], default: undefined },
    route_arrival: { type: mongoose.Schema.Types.Mixed },
    routing_judged: { type: mongoose.Schema.Types.Mixed },
    applied_calls: { type: [String], default: [] },
    changes: { type: Number, default: 0 },
    deleted_at: { type: Date, default: null },
    deleted_by: { type: mongoose.Schema.Types.ObjectId },
    deleted_by_call: { type: String, default: null },
  },
  { collection: 'documents', versionKey: false, minimize: false, autoIndex: false },
);
// The list in each order and with its most common filters: these indexes alone answer pages and counts.
documentSchema.index({ organization_id: 1, deleted_at: 1, upload_date: -1, _id: -1 });
documentSchema.index({ organization_id: 1, deleted_at: 1, name_key: 1, _id: 1 });
documentSchema.index({ organization_id: 1, deleted_at: 1, size_bytes: 1, _id: 1 });
documentSchema.index({ organization_id: 1, deleted_at: 1, state: 1, upload_date: -1, _id: -1 });
documentSchema.index({ organization_id: 1, deleted_at: 1, tag_ids: 1, upload_date: -1, _id: -1 });
documentSchema.index({ organization_id: 1, deleted_at: 1, 'releases.state': 1, upload_date: -1, _id: -1 });
documentSchema.index({ organization_id: 1, sha256: 1 });
documentSchema.index({ source_key: 1 }, { unique: true, sparse: true });
documentSchema.index({ read_first_in: 1, upload_date: 1 }, { sparse: true });
documentSchema.index({ organization_id: 1, deleted_at: 1, 'routing.state': 1, upload_date: -1, _id: -1 });
documentSchema.index({ organization_id: 1, 'routing.by': 1, upload_date: -1, _id: -1 });
documentSchema.index({ 'split_from.document_id': 1 }, { sparse: true });
documentSchema.index({ attachment_key: 1 }, { unique: true, sparse: true });
documentSchema.index({ 'event_outbox.id': 1 }, { sparse: true });
for (const field of ['source_id', 'duplicate_of', 'split_group', 'missing_since'])
  documentSchema.index({ [field]: 1 }, { sparse: true });
for (const field of ['routing_due', 'arrival_due', 'replaced_in', 'never_to_model_in', 'attached_path', 'deleted_with'])
  documentSchema.index({ [field]: 1 }, { sparse: true });
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

/** The `deleted_at` of a document that is being removed for good: older than any real date. */
export const beingPurged = new Date(0);

/** The fields that take a document out of the trash. */
export const outOfTrash = { deleted_at: null, deleted_by: null, deleted_by_call: null, deleted_with: null } as const;

/** Names are sorted and searched without regard to case and accents. */
export function nameKeyOf(name: string): string {
  return foldText(name);
}

/** Selects documents with this text in their name, ignoring case and accents. Uses the indexed key. */
export function nameHas(text: string): { name_key: { $regex: string } } {
  return { name_key: { $regex: patternOf(nameKeyOf(text)) } };
}

export function documentModel(connection: Connection): Model<DocumentRecord> {
  return connection.models['Document'] ?? connection.model<DocumentRecord>('Document', documentSchema);
}

/** A selection of documents. Those in the trash can also be sorted by the time of their deletion. */
type AnyDocumentSelection = Omit<DocumentSelection, 'sort'> & {
  sort?: DocumentSelection['sort'] | 'deleted_at';
  /** For a `stage`: the documents with a call that the user can decide. */
  waiting?: readonly string[] | undefined;
};

/**
 * Translates the query of the document list, for the list itself and for bulk actions on its results. `among` selects
 * the organization and whether to search the trash. Ties are sorted by id, so that pages do not overlap.
 */
export function documentQuery(
  among: QueryFilter<DocumentRecord>,
  {
    name_search,
    tag_ids,
    state,
    auto_create,
    release,
    stage,
    waiting = [],
    routing,
    include_replaced,
    missing,
    attached_to,
    sort = 'upload_date',
    order,
  }: AnyDocumentSelection,
): { filter: QueryFilter<DocumentRecord>; sort: Record<string, 1 | -1> } {
  const filter: QueryFilter<DocumentRecord> = { ...among };
  if (name_search !== undefined && name_search !== '') Object.assign(filter, nameHas(name_search));
  if (tag_ids !== undefined && tag_ids.length > 0) filter.tag_ids = { $all: objectIdsOf(tag_ids) };
  if (state !== undefined) filter.state = state;
  if (auto_create !== undefined) Object.assign(filter, { 'auto_create.status': auto_create });
  if (release !== undefined) Object.assign(filter, { 'releases.state': release });
  if (stage !== undefined) Object.assign(filter, stageFilter(stage, waiting));
  if (routing !== undefined) Object.assign(filter, { 'routing.state': routing });
  if (attached_to !== undefined) {
    const parent = new mongoose.Types.ObjectId(attached_to);
    // The index is on the path.
    Object.assign(filter, { attached_path: parent, attached_to: parent });
  }
  // A range: an index of the few that are missing is read, which “not null” does not.
  if (missing === true) filter.missing_since = { $gt: new Date(0) };
  if (include_replaced !== true) filter.replaced_by = null;
  const isDate = sort === 'upload_date' || sort === 'deleted_at';
  const direction = (order ?? (isDate ? 'desc' : 'asc')) === 'asc' ? 1 : -1;
  return { filter, sort: { [sort === 'document_name' ? 'name_key' : sort]: direction, _id: direction } };
}

/** The leases of model runs. A document is being processed while one of its runs renews the lease. */
export function modelRunLeases(connection: Connection): SharedLeases {
  return createSharedLeases(documentModel(connection).collection, { tokens: 'model_runs', until: 'model_lease_until' });
}
