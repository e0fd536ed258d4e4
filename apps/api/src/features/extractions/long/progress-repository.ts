import { randomUUID } from 'node:crypto';
import type { ExtractedPiece, ExtractionIssue, ExtractionProgress, Usage, ValidationError } from '@docwright/contract';
import mongoose, { type Connection, type Model } from 'mongoose';
import { field, modelOf, recordSchema, type StoredRecord } from '../../../platform/records/record-model.ts';
import { objectIdOf } from '../../../platform/database/object-id.ts';
import { createLeases, leaseFields, type StoredLease } from '../../../platform/leases/leases.ts';
import type { RequestedExtraction } from './requested-extraction.ts';

type ProgressRecord = StoredRecord<typeof progressSchema>;

/** The outcome of a request, without values that can be computed again. */
export type StoredPiece = ({ kind: 'read' } & PieceRead) | { kind: 'cut'; usage: Usage };

export interface PieceRead extends ValueRemarks {
  result: unknown;
  validation_errors: ValidationError[];
  usage: Usage;
  model: string;
}

/** The remarks of a model on its values, by path in the piece. */
interface ValueRemarks {
  uncertain?: string[];
  evidence?: Record<string, string>;
  /** The digits of numbers that the result had to round. */
  raw?: Record<string, string>;
  /** The answer was not plain JSON and has been repaired. */
  repaired?: true;
  /** Pages that were sent as images. */
  seen?: number[];
  /** The model's doubt in a value, 0 to 1, by path. */
  doubts?: Record<string, number>;
}

export type StoredProgress = ExtractionProgress &
  Pick<ProgressRecord, 'run_id' | 'is_complete' | 'issues' | 'error' | 'updated_at'> & {
    /** Whether another process resumes it when its own dies. */
    is_resumable: boolean;
  };

/** Extractions of all organizations whose process died. */
export type OrphanedExtractions = ReturnType<typeof createOrphanedExtractions>;

export interface OrphanedExtraction {
  organizationId: string;
  place: ExtractionPlace;
  run_id: string;
  asked: RequestedExtraction;
  /** How often it was resumed, this time included. */
  attempts: number;
  stop_requested: boolean;
}

/** A process that does not renew its lease for so long is dead. A dead process of this machine is noticed at once. */
const leaseMs = 60_000;

/** How long pieces of an extraction that was never resumed are stored. */
const keptSeconds = 7 * 86_400;

const progressSchema = recordSchema(
  {
    organization_id: field.objectId,
    document_id: field.objectId,
    prompt_revid: field.objectId,
    /** The active run. Notes of other runs are ignored. */
    run_id: field.text,
    state: field.oneOf<ExtractionProgress['state']>(),
    pieces_done: field.number.default(0),
    pieces_total: field.number.default(1),
    stop_requested: field.flag.default(false),
    is_complete: field.flag.default(false),
    issues: field.mixed<ExtractionIssue[]>().default(() => []),
    error: field.mixed<{ code: string; message: string }>().orNull(),
    updated_at: field.date,
    /** The lease of the process that works on it. */
    lease: field.mixed<StoredLease>().optional(),
    /** Present if a request started it, so that a job resumes it if its process dies. */
    asked: field.mixed<RequestedExtraction>().optional(),
    /** How often another process has resumed it. */
    attempts: field.number.optional(),
  },
  { collection: 'extraction_progress', keepsEmptyObjects: true },
);
progressSchema.index({ document_id: 1, prompt_revid: 1 }, { unique: true });
progressSchema.index({ 'asked.call_id': 1 }, { sparse: true });

/** A finished piece. Answers are JSON text, since their keys can be any names. */
const pieceSchema = recordSchema(
  {
    organization_id: field.objectId,
    document_id: field.objectId,
    prompt_revid: field.objectId,
    /** A digest of the plan. Pieces of another plan are not reused. */
    plan: field.text,
    from: field.number,
    to: field.number,
    answer: field.text,
    created_at: field.date,
  },
  { collection: 'extraction_pieces', keepsEmptyObjects: true },
);
pieceSchema.index({ document_id: 1, prompt_revid: 1, plan: 1, from: 1, to: 1 }, { unique: true });
pieceSchema.index({ created_at: 1 }, { expireAfterSeconds: keptSeconds });

/** The extraction of one prompt on one document. */
export interface ExtractionPlace {
  document_id: string;
  prompt_revid: string;
}

/** The progress and finished pieces of one organization's extractions. A malformed id finds nothing. */
export type ProgressRepository = ReturnType<ReturnType<typeof createProgressRepositories>>;

export function createOrphanedExtractions(connection: Connection) {
  const leases = leasesOf(progressModel(connection));
  return {
    /** Claims an orphaned extraction for a minute. */
    async claim(): Promise<OrphanedExtraction | undefined> {
      const attempts = { $add: [{ $ifNull: ['$attempts', 0] }, 1] };
      const resumable = { state: 'running', 'asked.call_id': { $exists: true } };
      const claim = await leases.claim(resumable, { milliseconds: leaseMs, isRare: true, set: { attempts } });
      if (claim?.record.asked === undefined) return undefined;
      const { organization_id, run_id, asked, attempts: taken = 1, stop_requested } = claim.record;
      const place = {
        document_id: claim.record.document_id.toHexString(),
        prompt_revid: claim.record.prompt_revid.toHexString(),
      };
      return { organizationId: organization_id.toHexString(), place, run_id, asked, attempts: taken, stop_requested };
    },
  };
}

const progressModel = modelOf('ExtractionProgress', progressSchema);
const pieceModel = modelOf('ExtractionPiece', pieceSchema);

const leasesOf = (runs: Model<ProgressRecord>) => createLeases<ProgressRecord>(runs.collection, leaseFields);

export function createProgressRepositories(connection: Connection) {
  const runs = progressModel(connection);
  const leases = leasesOf(runs);
  const pieces = pieceModel(connection);
  return (organizationId: string) => {
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
      /** Starts a run and returns its id. With `asked`, another process resumes it if this one dies. */
      async start(place: ExtractionPlace, pieces_total: number, asked?: RequestedExtraction): Promise<string> {
        const run_id = randomUUID();
        const key = keyOrThrow(place);
        const fresh = { pieces_done: 0, stop_requested: false, is_complete: false, issues: [], error: null };
        const set = { ...fresh, run_id, state: 'running', pieces_total, updated_at: new Date() } as const;
        const isSame = asked !== undefined && (await runs.exists({ ...key, 'asked.call_id': asked.call_id })) !== null;
        const former = { lease: 1, asked: 1, ...(!isSame && { attempts: 1 }) } as const;
        await runs.updateOne(key, { $set: set, $unset: former }, { upsert: true });
        // Sets `asked` together with the lease, so that no other process takes the run for an orphan in between.
        const withRequest = asked && { set: { asked: { $literal: asked } } };
        await leases.claim({ ...key, run_id }, { milliseconds: leaseMs, token: run_id, ...withRequest });
        return run_id;
      },
      /** Renews the lease of this process. Returns false if it is lost. */
      async renew(place: ExtractionPlace, run_id: string): Promise<boolean> {
        return (await leases.renew({ ...keyOrThrow(place), run_id }, run_id, leaseMs)) !== undefined;
      },
      /** Releases the lease, so that another process resumes. */
      async release(place: ExtractionPlace, run_id: string): Promise<void> {
        await leases.release({ ...keyOrThrow(place), run_id }, run_id);
      },
      async note(
        place: ExtractionPlace,
        run_id: string,
        { pieces_done, pieces_total }: Pick<ExtractionProgress, 'pieces_done' | 'pieces_total'>,
      ): Promise<void> {
        const set = { pieces_done, pieces_total, updated_at: new Date() };
        await runs.updateOne({ ...keyOrThrow(place), run_id, state: 'running' }, { $set: set });
      },
      async finish(
        place: ExtractionPlace,
        run_id: string,
        end: Pick<ExtractionProgress, 'state'> & Partial<Pick<ProgressRecord, 'is_complete' | 'issues' | 'error'>>,
      ): Promise<void> {
        const update = {
          $set: { ...end, updated_at: new Date() },
          $unset: { lease: 1, asked: 1, attempts: 1 },
        } as const;
        await runs.updateOne({ ...keyOrThrow(place), run_id }, update);
      },
      async get(place: ExtractionPlace): Promise<StoredProgress | undefined> {
        const key = keyOf(place);
        const found = key && (await runs.findOne(key).lean());
        if (!found) return undefined;
        const { state, pieces_done, pieces_total, run_id, is_complete, issues, error, updated_at, asked } = found;
        const is_resumable = state === 'running' && asked !== undefined;
        return { state, pieces_done, pieces_total, run_id, is_complete, issues, error, updated_at, is_resumable };
      },
      /** Returns false if no run is active. */
      async requestStop(place: ExtractionPlace): Promise<boolean> {
        const key = keyOf(place);
        if (!key) return false;
        const { matchedCount } = await runs.updateOne({ ...key, state: 'running' }, { $set: { stop_requested: true } });
        return matchedCount > 0;
      },
      async isStopRequested(place: ExtractionPlace, run_id: string): Promise<boolean> {
        return (await runs.exists({ ...keyOrThrow(place), run_id, stop_requested: true })) !== null;
      },
      async piece(
        place: ExtractionPlace,
        plan: string,
        { from, to }: { from: number; to: number },
      ): Promise<StoredPiece | undefined> {
        const found = await pieces.findOne({ ...keyOrThrow(place), plan, from, to }).lean();
        if (found === null) return undefined;
        const answer: StoredPiece = JSON.parse(found.answer);
        return answer;
      },
      async savePiece(
        place: ExtractionPlace,
        plan: string,
        { from, to }: { from: number; to: number },
        answer: StoredPiece,
      ): Promise<void> {
        const key = { ...keyOrThrow(place), plan, from, to };
        const set = { answer: JSON.stringify(answer), created_at: new Date() };
        await pieces.updateOne(key, { $set: set }, { upsert: true });
      },
      /** The finished pieces in the order of their completion, without those with known ids. */
      async piecesExcept(
        place: ExtractionPlace,
        known: ReadonlySet<string>,
      ): Promise<(ExtractedPiece & { id: string })[]> {
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
      async removePieces(place: ExtractionPlace): Promise<void> {
        const key = keyOf(place);
        if (key) await pieces.deleteMany(key);
      },
      async removeAll(document_id: string): Promise<void> {
        const id = objectIdOf(document_id);
        if (!id) return;
        await runs.deleteMany({ organization_id, document_id: id });
        await pieces.deleteMany({ organization_id, document_id: id });
      },
    };
  };
}
