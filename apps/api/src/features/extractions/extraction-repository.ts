import type { Extraction, VersionAuthor } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import { objectIdOf } from '../../platform/database/object-id.ts';
import { createTurnWriteRepositories, type TurnWriteRepository } from '../../turn-writes/turn-write-repository.ts';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import { extractionModel, type ExtractionRecord } from './extraction-model.ts';
import {
  createExtractionVersions,
  presentExtraction,
  type ExtractionKey,
  type ExtractionVersionRepository,
} from './extraction-version-repository.ts';

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
  /**
   * Takes the place of the present version, which is stored; of two at once the last to finish stays, one version above
   * the other. `check` throws where the present result must not be replaced; it holds for the very record that is.
   */
  saveRun(
    run: FinishedRun,
    options: { author: VersionAuthor; check: (present: Extraction | undefined) => void },
    origin?: WriteOrigin,
  ): Promise<Extraction>;
  /** Undefined when the result is no longer at `baseVersion`, or when the call was here before. */
  edit(
    extraction: Pick<Extraction, 'document_id' | 'prompt_revid'>,
    baseVersion: number,
    edited: EditedResult,
    author: VersionAuthor,
    origin?: WriteOrigin,
  ): Promise<Extraction | undefined>;
  /** A former version as a new one; undefined where there is none of that number. */
  restore(
    extraction: Pick<Extraction, 'document_id' | 'prompt_revid'>,
    version: number,
    author: VersionAuthor,
    origin?: WriteOrigin,
  ): Promise<Extraction | undefined>;
  setVerified(
    documentId: string,
    promptRevid: string,
    isVerified: boolean,
    origin?: WriteOrigin,
  ): Promise<Extraction | undefined>;
  removeAll(documentId: string): Promise<void>;
  /** Of every revision of the prompt. */
  removeOfPrompt(documentId: string, promptId: string): Promise<void>;
}

/** What a new version holds beside its number. */
type NewVersion = Pick<
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
  | 'created_at'
  | 'changed_at'
  | 'author'
  | 'action'
  | 'restored_from'
>;

const callsKept = 200;
const maxAttempts = 50;

/** The extractions of each organization. */
export function createExtractionRepositories(connection: Connection): (organizationId: string) => ExtractionRepository {
  const model = extractionModel(connection);
  const writesOf = createTurnWriteRepositories(connection);
  const versions = createExtractionVersions(connection);
  return (organizationId) =>
    repositoryOf(model, versions, writesOf(organizationId), new mongoose.Types.ObjectId(organizationId));
}

function repositoryOf(
  model: ReturnType<typeof extractionModel>,
  versions: ExtractionVersionRepository,
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

  async function noteWrite(
    former: ExtractionRecord | undefined,
    { document_id }: ExtractionKey,
    tool: string,
    origin: WriteOrigin | undefined,
  ) {
    await writes.note(origin, {
      tool,
      kind: 'extraction',
      ...(former && { thingId: former._id.toHexString() }),
      documentId: document_id.toHexString(),
      before: former === undefined ? null : beforeOf(former),
      base: former?.changes ?? 0,
    });
  }

  async function applied(origin: WriteOrigin | undefined): Promise<Extraction | undefined> {
    if (!origin) return undefined;
    return present(await model.findOne({ organization_id, applied_calls: origin.call_id }).lean());
  }

  /**
   * Puts a new version in the place of the present one, which is stored first. `contentOf` sees the present result and
   * may refuse it; it is asked again where somebody was faster. Undefined where it gives nothing.
   */
  async function replace(
    key: ExtractionKey,
    tool: string,
    contentOf: (present: ExtractionRecord | undefined) => NewVersion | undefined,
    origin: WriteOrigin | undefined,
  ): Promise<Extraction | undefined> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const former = (await model.findOne(key).lean()) ?? undefined;
      const content = contentOf(former);
      if (!content) return undefined;
      if (former) await versions.archive(former);
      await noteWrite(former, key, tool, origin);
      if (former) {
        const { version, changes } = former;
        const { restored_from, ...set } = content;
        const replaced = await model
          .findOneAndUpdate(
            { ...key, version, changes, ...unlessApplied(origin) },
            {
              $set: { ...set, ...(restored_from !== undefined && { restored_from }) },
              ...(restored_from === undefined && { $unset: { restored_from: 1 } }),
              $inc: { version: 1, changes: 1 },
              ...noting(origin),
            },
            { returnDocument: 'after' },
          )
          .lean();
        if (replaced) return presentExtraction(replaced);
      } else {
        try {
          // Numbers go on where a result was removed and comes back.
          const version = (await versions.newest(key)) + 1;
          const applied_calls = origin ? [origin.call_id] : [];
          const created = await model.create({ ...key, ...content, version, changes: 1, applied_calls });
          return presentExtraction(created.toObject());
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
        }
      }
      const repeated = await applied(origin);
      if (repeated) return repeated;
    }
    throw new Error('Too many writes of one result at once.');
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
      return { extractions: records.map(presentExtraction), total_count };
    },
    async changeCount(documentId) {
      const filter = ofDocument(documentId);
      const records = filter ? await model.find(filter, { changes: 1, _id: 0 }).lean() : [];
      return records.reduce((sum, { changes }) => sum + 1 + changes, 0);
    },
    applied,
    async saveRun(run, { author, check }, origin) {
      const key = one(run.document_id, run.prompt_revid);
      if (!key) throw new Error('A run names a document and a prompt.');
      const repeated = await applied(origin);
      if (repeated) return repeated;
      const result = JSON.stringify(run.result);
      const saved = await replace(
        key,
        'run_extraction',
        (former) => {
          check(present(former ?? null));
          const now = new Date();
          return {
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
            author,
            action: 'extracted',
          };
        },
        origin,
      );
      if (!saved) throw new Error('A run always has a result to store.');
      return saved;
    },
    async edit({ document_id, prompt_revid }, baseVersion, edited, author, origin) {
      const key = one(document_id, prompt_revid);
      if (!key) return undefined;
      const isApplied = (record: ExtractionRecord) => origin && record.applied_calls.includes(origin.call_id);
      return await replace(
        key,
        'update_extraction_field',
        (former) => {
          if (former === undefined || former.version !== baseVersion || isApplied(former)) return undefined;
          const { prompt_id, schema_revid, original_result, model: name, usage, created_at } = former;
          return {
            prompt_id,
            schema_revid,
            original_result,
            model: name,
            usage,
            created_at,
            result: JSON.stringify(edited.result),
            grounding: JSON.stringify(edited.grounding),
            validation_errors: edited.validation_errors,
            is_edited: true,
            is_verified: false,
            changed_at: new Date(),
            author,
            action: 'edited',
          };
        },
        origin,
      );
    },
    async restore({ document_id, prompt_revid }, version, author, origin) {
      const key = one(document_id, prompt_revid);
      const stored = key && ((await versions.get(key, version)) ?? (await model.findOne({ ...key, version }).lean()));
      if (!key || !stored) return undefined;
      const { organization_id: _o, document_id: _d, prompt_revid: _p, version: _v, ...content } = stored;
      const { prompt_id, schema_revid, result, original_result, grounding, validation_errors } = content;
      const { is_edited, is_verified, model: name, usage, created_at } = content;
      const restored = { prompt_id, schema_revid, result, original_result, grounding, validation_errors };
      return await replace(
        key,
        'restore_extraction',
        () => ({
          ...restored,
          is_edited,
          is_verified,
          model: name,
          usage,
          created_at,
          changed_at: new Date(),
          author,
          action: 'restored',
          restored_from: version,
        }),
        origin,
      );
    },
    async setVerified(documentId, promptRevid, isVerified, origin) {
      const key = one(documentId, promptRevid);
      if (!key) return undefined;
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const former = await model.findOne(key).lean();
        if (former === null) return undefined;
        if (origin && former.applied_calls.includes(origin.call_id)) return presentExtraction(former);
        await noteWrite(former, key, 'verify_extraction', origin);
        const { version, changes } = former;
        const updated = await model
          .findOneAndUpdate(
            { ...key, version, changes },
            { $set: { is_verified: isVerified }, $inc: { changes: 1 }, ...noting(origin) },
            { returnDocument: 'after' },
          )
          .lean();
        if (updated) return presentExtraction(updated);
      }
      throw new Error('Too many writes of one result at once.');
    },
    async removeAll(documentId) {
      const filter = ofDocument(documentId);
      if (!filter) return;
      await model.deleteMany(filter);
      await versions.removeAll(filter.document_id);
    },
    async removeOfPrompt(documentId, promptId) {
      const filter = ofDocument(documentId);
      if (!filter) return;
      for (const record of await model.find({ ...filter, prompt_id: promptId }).lean()) await versions.archive(record);
      await model.deleteMany({ ...filter, prompt_id: promptId });
    },
  };
}

function present(record: ExtractionRecord | null): Extraction | undefined {
  return record === null ? undefined : presentExtraction(record);
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
