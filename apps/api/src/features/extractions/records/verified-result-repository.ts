import type { Grounding } from '@docwright/contract';
import mongoose, { type Connection, type Types } from 'mongoose';
import { objectIdOf } from '../../../platform/database/object-id.ts';
import { documentModel } from '../../documents/index.ts';
import { extractionModel, type ExtractionRecord } from './extraction-model.ts';
import { parseStored } from './compressed-json.ts';
import { factsOf } from './extraction-version-repository.ts';

/** The verified result of a document that counts, with its version: the ground truth of a measurement. */
export interface TruthReference {
  document_id: string;
  prompt_revid: string;
  version: number;
  /** What the extraction cost. */
  spu: number;
}

/** A verified result, with the model's answer before its correction. */
export interface VerifiedResult extends TruthReference {
  schema_revid: string | null;
  result: unknown;
  original_result: unknown;
  grounding: Record<string, Grounding>;
  model: string;
  created_at: Date;
  /** Paths of values that were verified unseen. */
  unseen: readonly string[];
}

interface StoredResult {
  document_id: string;
  original_result: unknown;
  model: string;
}

/** Verified results of one organization: the ground truth of its prompts. */
export interface VerifiedResultRepository {
  /**
   * The newest verified result of each document, of any revision of the prompt, last changed first. With `limit`, only
   * the last changed results are considered.
   */
  truth(promptId: string, limit?: number): Promise<TruthReference[]>;
  /** Undefined if the result was changed or removed, or is no longer verified. */
  get(reference: Pick<TruthReference, 'document_id' | 'prompt_revid' | 'version'>): Promise<VerifiedResult | undefined>;
  /**
   * The verified results of each document, one for each revision, last changed first, read in batches. `isNewest` marks the
   * first result of each document.
   */
  results(promptId: string): AsyncGenerator<VerifiedResult & { isNewest: boolean }>;
  /** The original answers of a prompt's revision, by document id. */
  stored(promptRevid: string, documentIds: readonly string[]): Promise<Map<string, StoredResult>>;
}

/** How many verified results of a prompt are considered: the last changed ones. */
const maxTruth = 10_000;
const batchSize = 100;

export function createVerifiedResultRepositories(
  connection: Connection,
): (organizationId: string) => VerifiedResultRepository {
  const extractions = extractionModel(connection);
  const documents = documentModel(connection);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);

    /** Last changed first; without results of documents in the trash. */
    async function verifiedOf(promptId: string, limit = maxTruth): Promise<ExtractionReference[]> {
      const verified = await extractions
        .find(
          { organization_id, prompt_id: promptId.toLowerCase(), is_verified: true },
          { document_id: 1, prompt_revid: 1, version: 1, 'usage.spu': 1 },
        )
        .sort({ changed_at: -1, _id: -1 })
        .limit(limit)
        .lean<ExtractionReference[]>();
      const _id = { $in: verified.map(({ document_id }) => document_id) };
      const present = await documents
        .find({ _id, organization_id, deleted_at: null, never_to_model_in: null }, { _id: 1 })
        .lean();
      const ids = new Set(present.map((document) => document._id.toHexString()));
      return verified.filter(({ document_id }) => ids.has(document_id.toHexString()));
    }

    return {
      async truth(promptId, limit) {
        return newestOf(await verifiedOf(promptId, limit)).map(referenceOf);
      },
      async get({ document_id, prompt_revid, version }) {
        const [documentId, revision] = [objectIdOf(document_id), objectIdOf(prompt_revid)];
        if (!documentId || !revision) return undefined;
        const record = await extractions
          .findOne({ organization_id, document_id: documentId, prompt_revid: revision, version, is_verified: true })
          .lean();
        return record === null ? undefined : resultOf(record);
      },
      async *results(promptId) {
        const references = await verifiedOf(promptId);
        const newest = new Set(newestOf(references));
        for (let at = 0; at < references.length; at += batchSize) {
          const batch = references.slice(at, at + batchSize);
          const ids = batch.map(({ _id }) => _id);
          const records = await extractions.find({ _id: { $in: ids }, organization_id, is_verified: true }).lean();
          const byId = new Map(records.map((record) => [record._id.toHexString(), record]));
          for (const reference of batch) {
            const record = byId.get(reference._id.toHexString());
            if (record) yield { ...resultOf(record), isNewest: newest.has(reference) };
          }
        }
      },
      async stored(promptRevid, documentIds) {
        const prompt_revid = objectIdOf(promptRevid);
        const document_id = { $in: documentIds.flatMap((id) => objectIdOf(id) ?? []) };
        if (!prompt_revid) return new Map();
        const records = await extractions
          .find({ organization_id, document_id, prompt_revid }, { document_id: 1, original_result: 1, model: 1 })
          .lean();
        return new Map(
          records.map((record) => {
            const id = record.document_id.toHexString();
            return [id, { document_id: id, original_result: parseStored(record.original_result), model: record.model }];
          }),
        );
      },
    };
  };
}

/** The first result of each document. */
function newestOf(references: readonly ExtractionReference[]): ExtractionReference[] {
  const byDocument = Map.groupBy(references, ({ document_id }) => document_id.toHexString());
  return [...byDocument.values()].map(([reference]) => reference!);
}

type ExtractionReference = Pick<ExtractionRecord, '_id' | 'document_id' | 'prompt_revid' | 'version'> & {
  usage: { spu: number };
} & { _id: Types.ObjectId };

const referenceOf = ({ document_id, prompt_revid, version, usage }: ExtractionReference): TruthReference => ({
  document_id: document_id.toHexString(),
  prompt_revid: prompt_revid.toHexString(),
  version,
  spu: usage.spu,
});

const resultOf = (record: ExtractionRecord): VerifiedResult => ({
  ...referenceOf(record),
  schema_revid: record.schema_revid,
  result: parseStored(record.result),
  original_result: parseStored(record.original_result),
  grounding: parseStored(record.grounding),
  model: record.model,
  created_at: record.created_at,
  unseen: factsOf(record).unseen ?? [],
});
