import { randomUUID } from 'node:crypto';
import type { ExtractedPiece, ExtractionIssue, ExtractionProgress, Usage, ValidationError } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';
import { objectIdOf } from '../../../platform/database/object-id.ts';

interface ProgressRecord extends ExtractionProgress {
  organization_id: Types.ObjectId;
  document_id: Types.ObjectId;
  prompt_revid: Types.ObjectId;
  /** Of the run that works now: what another one notes is not its own. */
  run_id: string;
  stop_requested: boolean;
  is_complete: boolean;
  issues: ExtractionIssue[];
  error: { code: string; message: string } | null;
  updated_at: Date;
}

/** A finished piece. Answers are JSON text: their keys may be any names. */
interface PieceRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  document_id: Types.ObjectId;
  prompt_revid: Types.ObjectId;
  /** A digest of what was asked: pieces of another plan are of no use. */
  plan: string;
  from: number;
  to: number;
  answer: string;
  created_at: Date;
}

/** What a request came to, without what can be told anew. */
export type StoredPiece = ({ kind: 'read' } & PieceRead) | { kind: 'cut'; usage: Usage };

export interface PieceRead extends SaidOfValues {
  result: unknown;
  validation_errors: ValidationError[];
  usage: Usage;
  model: string;
}

/** What a model said of its values beside them; paths are those of the piece. */
export interface SaidOfValues {
  uncertain?: string[];
  evidence?: Record<string, string>;
  /** Pages that it was shown as images. */
  seen?: number[];
}

export type StoredProgress = ExtractionProgress &
  Pick<ProgressRecord, 'run_id' | 'is_complete' | 'issues' | 'error' | 'updated_at'>;

/** Pieces of an extraction that never went on are of no use after so long. */
const keptSeconds = 7 * 86_400;

const objectId = { type: mongoose.Schema.Types.ObjectId, required: true } as const;
const options = { versionKey: false, minimize: false, autoIndex: false } as const;

const progressSchema = new mongoose.Schema<ProgressRecord>(
  {
    organization_id: objectId,
    document_id: objectId,
    prompt_revid: objectId,
    run_id: { type: String, required: true },
    state: { type: String, required: true },
    pieces_done: { type: Number, default: 0 },
    pieces_total: { type: Number, default: 1 },
    stop_requested: { type: Boolean, default: false },
    is_complete: { type: Boolean, default: false },
    issues: { type: mongoose.Schema.Types.Mixed, default: () => [] },
    error: { type: mongoose.Schema.Types.Mixed, default: null },
    updated_at: { type: Date, required: true },
  },
  { ...options, collection: 'extraction_progress' },
);
progressSchema.index({ document_id: 1, prompt_revid: 1 }, { unique: true });

const pieceSchema = new mongoose.Schema<PieceRecord>(
  {
    organization_id: objectId,
    document_id: objectId,
    prompt_revid: objectId,
    plan: { type: String, required: true },
    from: { type: Number, required: true },
    to: { type: Number, required: true },
    answer: { type: String, required: true },
    created_at: { type: Date, required: true },
  },
  { ...options, collection: 'extraction_pieces' },
);
pieceSchema.index({ document_id: 1, prompt_revid: 1, plan: 1, from: 1, to: 1 }, { unique: true });
pieceSchema.index({ created_at: 1 }, { expireAfterSeconds: keptSeconds });

/** The extraction of one prompt on one document. */
export interface ExtractionPlace {
  document_id: string;
  prompt_revid: string;
}

/** How far extractions of one organization are, and the pieces that they have finished. A malformed id finds nothing. */
export interface ProgressRepository {
  /** Notes that an extraction runs, and returns the id of the run. */
  start(place: ExtractionPlace, pieces_total: number): Promise<string>;
  note(
    place: ExtractionPlace,
    run_id: string,
    progress: Pick<ExtractionProgress, 'pieces_done' | 'pieces_total'>,
  ): Promise<void>;
  finish(
    place: ExtractionPlace,
    run_id: string,
    end: Pick<ExtractionProgress, 'state'> & Partial<Pick<ProgressRecord, 'is_complete' | 'issues' | 'error'>>,
  ): Promise<void>;
  get(place: ExtractionPlace): Promise<StoredProgress | undefined>;
  /** False where nothing runs. */
  requestStop(place: ExtractionPlace): Promise<boolean>;
  isStopRequested(place: ExtractionPlace, run_id: string): Promise<boolean>;
  piece(place: ExtractionPlace, plan: string, piece: { from: number; to: number }): Promise<StoredPiece | undefined>;
  savePiece(
    place: ExtractionPlace,
    plan: string,
    piece: { from: number; to: number },
    answer: StoredPiece,
  ): Promise<void>;
  /** Pieces that were read, in the order in which they were, without those whose ids are known. */
  piecesExcept(place: ExtractionPlace, known: ReadonlySet<string>): Promise<(ExtractedPiece & { id: string })[]>;
  removePieces(place: ExtractionPlace): Promise<void>;
  removeAll(document_id: string): Promise<void>;
}

export function createProgressRepositories(connection: Connection): (organizationId: string) => ProgressRepository {
  const runs: Model<ProgressRecord> =
    connection.models['ExtractionProgress'] ?? connection.model<ProgressRecord>('ExtractionProgress', progressSchema);
  const pieces: Model<PieceRecord> =
    connection.models['ExtractionPiece'] ?? connection.model<PieceRecord>('ExtractionPiece', pieceSchema);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const keyOf = (place: ExtractionPlace) => {
      const [document_id, prompt_revid] = [objectIdOf(place.document_id), objectIdOf(place.prompt_revid)];
      return document_id && prompt_revid && { organization_id, document_id, prompt_revid };
    };
    const keyOrThrow = (place: ExtractionPlace) => {
      const key = keyOf(place);
      if (!key) throw new Error('An extraction names a document and a prompt.');
      return key;
    };
    return {
      async start(place, pieces_total) {
        const run_id = randomUUID();
        const fresh = { pieces_done: 0, stop_requested: false, is_complete: false, issues: [], error: null };
        const set = { ...fresh, run_id, state: 'running', pieces_total, updated_at: new Date() } as const;
        await runs.updateOne(keyOrThrow(place), { $set: set }, { upsert: true });
        return run_id;
      },
      async note(place, run_id, { pieces_done, pieces_total }) {
        const set = { pieces_done, pieces_total, updated_at: new Date() };
        await runs.updateOne({ ...keyOrThrow(place), run_id, state: 'running' }, { $set: set });
      },
      async finish(place, run_id, end) {
        await runs.updateOne({ ...keyOrThrow(place), run_id }, { $set: { ...end, updated_at: new Date() } });
      },
      async get(place) {
        const key = keyOf(place);
        const found = key && (await runs.findOne(key).lean());
        if (!found) return undefined;
        const { state, pieces_done, pieces_total, run_id, is_complete, issues, error, updated_at } = found;
        return { state, pieces_done, pieces_total, run_id, is_complete, issues, error, updated_at };
      },
      async requestStop(place) {
        const key = keyOf(place);
        if (!key) return false;
        const { matchedCount } = await runs.updateOne({ ...key, state: 'running' }, { $set: { stop_requested: true } });
        return matchedCount > 0;
      },
      async isStopRequested(place, run_id) {
        return (await runs.exists({ ...keyOrThrow(place), run_id, stop_requested: true })) !== null;
      },
      async piece(place, plan, { from, to }) {
        const found = await pieces.findOne({ ...keyOrThrow(place), plan, from, to }).lean();
        if (found === null) return undefined;
        const answer: StoredPiece = JSON.parse(found.answer);
        return answer;
      },
      async savePiece(place, plan, { from, to }, answer) {
        const key = { ...keyOrThrow(place), plan, from, to };
        const set = { answer: JSON.stringify(answer), created_at: new Date() };
        await pieces.updateOne(key, { $set: set }, { upsert: true });
      },
      async piecesExcept(place, known) {
        const key = keyOf(place);
        if (!key) return [];
        const ids = (await pieces.find(key, { _id: 1 }).sort({ created_at: 1 }).lean())
          .map(({ _id }) => _id)
          .filter((id) => !known.has(id.toHexString()));
        const records = ids.length === 0 ? [] : await pieces.find({ ...key, _id: { $in: ids } }).lean();
        return records.flatMap(({ _id, from, to, answer }) => {
          const stored: StoredPiece = JSON.parse(answer);
          return stored.kind === 'read' ? [{ id: _id.toHexString(), from, to, result: stored.result }] : [];
        });
      },
      async removePieces(place) {
        const key = keyOf(place);
        if (key) await pieces.deleteMany(key);
      },
      async removeAll(document_id) {
        const id = objectIdOf(document_id);
        if (!id) return;
        await runs.deleteMany({ organization_id, document_id: id });
        await pieces.deleteMany({ organization_id, document_id: id });
      },
    };
  };
}
