import type { Extraction } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import { objectIdOf } from '../../platform/database/object-id.ts';
import { createTurnWriteRepositories, type TurnWriteRepository } from '../../turn-writes/turn-write-repository.ts';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import { extractionModel, type ExtractionRecord } from './extraction-model.ts';

/** What a run found, before it has a version. */
export type FinishedRun = Pick<
  Extraction,
  | 'document_id'
  | 'prompt_revid'
  | 'prompt_id'
  | 'schema_revid'
  | 'result'
  | 'grounding'
  | 'validation_errors'
  | 'model'
  | 'usage'
>;

export type EditedResult = Pick<Extraction, 'result' | 'grounding' | 'validation_errors'>;

/** How a result was, in the way back of a write. */
export type ExtractionBefore = Pick<
  ExtractionRecord,
  | 'prompt_id'
  | 'schema_revid'
  | 'result'
  | 'original_result'
  | 'grounding'
  | 'validation_errors'
  | 'is_edited'
  | 'is_verified'
  | 'model'
  | 'usage'
> & { created_at: string };

/** The extractions of one organization. A malformed id finds nothing. */
export interface ExtractionRepository {
  get(documentId: string, promptRevid: string): Promise<Extraction | undefined>;
  /** The one changed last. */
  latest(documentId: string): Promise<Extraction | undefined>;
  /** The last changed first. */
  list(
    documentId: string,
    page: { skip: number; limit: number },
  ): Promise<{ extractions: Extraction[]; total_count: number }>;
  /** How often the results of a document have been changed; another number after every change. */
  changeCount(documentId: string): Promise<number>;
  /** What a call that already wrote has become. */
  applied(origin: WriteOrigin | undefined): Promise<Extraction | undefined>;
  /** Takes the place of an earlier run; of two at once the last to finish stays, one version above the other. */
  saveRun(run: FinishedRun, origin?: WriteOrigin): Promise<Extraction>;
  /** Undefined when the result is no longer at `baseVersion`, or when the call was here before. */
  edit(
    extraction: Pick<Extraction, 'document_id' | 'prompt_revid'>,
    baseVersion: number,
    edited: EditedResult,
    origin?: WriteOrigin,
  ): Promise<Extraction | undefined>;
  setVerified(documentId: string, promptRevid: string, isVerified: boolean): Promise<Extraction | undefined>;
  removeAll(documentId: string): Promise<void>;
  /** Of every revision of the prompt. */
  removeOfPrompt(documentId: string, promptId: string): Promise<void>;
}

const callsKept = 200;
const mostAttempts = 10;

/** The extractions of each organization. */
export function createExtractionRepositories(connection: Connection): (organizationId: string) => ExtractionRepository {
  const model = extractionModel(connection);
  const writesOf = createTurnWriteRepositories(connection);
  return (organizationId) => repositoryOf(model, writesOf(organizationId), new mongoose.Types.ObjectId(organizationId));
}

function repositoryOf(
  model: ReturnType<typeof extractionModel>,
  writes: TurnWriteRepository,
  organization_id: mongoose.Types.ObjectId,
): ExtractionRepository {
  type Filter = QueryFilter<ExtractionRecord>;
  const ofDocument = (documentId: string) => {
    const document_id = objectIdOf(documentId);
    return document_id && { organization_id, document_id };
  };
  const one = (documentId: string, promptRevid: string) => {
    const document = ofDocument(documentId);
    const prompt_revid = objectIdOf(promptRevid);
    return document && prompt_revid && { ...document, prompt_revid };
  };
  const unlessApplied = (origin: WriteOrigin | undefined): Filter =>
    origin ? { applied_calls: { $ne: origin.call_id } } : {};
  const noting = (origin: WriteOrigin | undefined) =>
    origin ? { $push: { applied_calls: { $each: [origin.call_id], $slice: -callsKept } } } : {};

  async function noteWrite(filter: Filter, documentId: string, tool: string, origin: WriteOrigin | undefined) {
    if (origin === undefined) return;
    const former = await model.findOne(filter).lean();
    const before = former === null ? null : beforeOf(former);
    const base = former?.changes ?? 0;
    const thing = former === null ? {} : { thingId: former._id.toHexString() };
    await writes.note(origin, {
      tool,
      kind: 'extraction',
      ...thing,
      documentId: documentId.toLowerCase(),
      before,
      base,
    });
  }

  async function applied(origin: WriteOrigin | undefined): Promise<Extraction | undefined> {
    if (!origin) return undefined;
    return present(await model.findOne({ organization_id, applied_calls: origin.call_id }).lean());
  }

  return {
    async get(documentId, promptRevid) {
      const filter = one(documentId, promptRevid);
      return filter && present(await model.findOne(filter).lean());
    },
    async latest(documentId) {
      const filter = ofDocument(documentId);
      return filter && present(await model.findOne(filter).sort({ changed_at: -1, _id: -1 }).lean());
    },
    async list(documentId, { skip, limit }) {
      const filter = ofDocument(documentId);
      if (!filter) return { extractions: [], total_count: 0 };
      const [records, total_count] = await Promise.all([
        model.find(filter).sort({ changed_at: -1, _id: -1 }).skip(skip).limit(limit).lean(),
        model.countDocuments(filter),
      ]);
      return { extractions: records.map(presentRecord), total_count };
    },
    async changeCount(documentId) {
      const filter = ofDocument(documentId);
      const records = filter ? await model.find(filter, { changes: 1, _id: 0 }).lean() : [];
      return records.reduce((sum, { changes }) => sum + 1 + changes, 0);
    },
    applied,
    async saveRun(run, origin) {
      const key = one(run.document_id, run.prompt_revid);
      if (!key) throw new Error('A run names a document and a prompt.');
      const now = new Date();
      const result = JSON.stringify(run.result);
      const set = {
        prompt_id: run.prompt_id,
        schema_revid: run.schema_revid ?? null,
        result,
        original_result: result,
        grounding: JSON.stringify(run.grounding),
        validation_errors: run.validation_errors,
        is_edited: false,
        is_verified: false,
        model: run.model,
        usage: run.usage,
        created_at: now,
        changed_at: now,
      };
      for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
        const repeated = await applied(origin);
        if (repeated) return repeated;
        await noteWrite(key, run.document_id, 'run_extraction', origin);
        const replaced = await model
          .findOneAndUpdate(
            { ...key, ...unlessApplied(origin) },
            { $set: set, $inc: { version: 1, changes: 1 }, ...noting(origin) },
            { returnDocument: 'after' },
          )
          .lean();
        if (replaced) return presentRecord(replaced);
        try {
          const applied_calls = origin ? [origin.call_id] : [];
          const created = await model.create({ ...key, ...set, version: 1, changes: 1, applied_calls });
          return presentRecord(created.toObject());
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
        }
      }
      throw new Error('Too many runs of one prompt on one document at once.');
    },
    async edit({ document_id, prompt_revid }, baseVersion, edited, origin) {
      const filter = one(document_id, prompt_revid);
      if (!filter) return undefined;
      await noteWrite(filter, document_id, 'update_extraction_field', origin);
      const set = {
        result: JSON.stringify(edited.result),
        grounding: JSON.stringify(edited.grounding),
        validation_errors: edited.validation_errors,
        is_edited: true,
        is_verified: false,
        changed_at: new Date(),
      };
      return present(
        await model
          .findOneAndUpdate(
            { ...filter, version: baseVersion, ...unlessApplied(origin) },
            { $set: set, $inc: { version: 1, changes: 1 }, ...noting(origin) },
            { returnDocument: 'after' },
          )
          .lean(),
      );
    },
    async setVerified(documentId, promptRevid, isVerified) {
      const filter = one(documentId, promptRevid);
      if (!filter) return undefined;
      const update = { $set: { is_verified: isVerified }, $inc: { changes: 1 } };
      return present(await model.findOneAndUpdate(filter, update, { returnDocument: 'after' }).lean());
    },
    async removeAll(documentId) {
      const filter = ofDocument(documentId);
      if (filter) await model.deleteMany(filter);
    },
    async removeOfPrompt(documentId, promptId) {
      const filter = ofDocument(documentId);
      if (filter) await model.deleteMany({ ...filter, prompt_id: promptId });
    },
  };
}

function present(record: ExtractionRecord | null): Extraction | undefined {
  return record === null ? undefined : presentRecord(record);
}

/** Everything that a run or an edit replaces, as it is stored. */
function beforeOf(record: ExtractionRecord): ExtractionBefore {
  const { prompt_id, schema_revid, result, original_result, grounding, validation_errors } = record;
  const { is_edited, is_verified, model, usage } = record;
  return {
    prompt_id,
    schema_revid,
    result,
    original_result,
    grounding,
    validation_errors,
    is_edited,
    is_verified,
    model,
    usage,
    created_at: record.created_at.toISOString(),
  };
}

function presentRecord(record: ExtractionRecord): Extraction {
  return {
    document_id: record.document_id.toHexString(),
    prompt_revid: record.prompt_revid.toHexString(),
    prompt_id: record.prompt_id,
    ...(record.schema_revid === null ? {} : { schema_revid: record.schema_revid }),
    version: record.version,
    result: JSON.parse(record.result),
    original_result: JSON.parse(record.original_result),
    is_edited: record.is_edited,
    is_verified: record.is_verified,
    grounding: JSON.parse(record.grounding),
    validation_errors: record.validation_errors,
    model: record.model,
    usage: record.usage,
    created_at: record.created_at.toISOString(),
  };
}
