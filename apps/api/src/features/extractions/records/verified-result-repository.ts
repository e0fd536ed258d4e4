import type { Grounding } from '@docwright/contract';
import mongoose, { type Connection, type Types } from 'mongoose';
import { objectIdOf } from '../../../platform/database/object-id.ts';
import { documentModel, listedDocuments } from '../../documents/index.ts';
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
export type VerifiedResultRepository = ReturnType<ReturnType<typeof createVerifiedResultRepositories>>;

/** How many verified results of a prompt are considered: the last changed ones. */
const maxTruth = 10_000;
const batchSize = 1_000;
/** Results in memory at the same time: each can have 100,000 values. */
const readAtOnce = 10;

export function createVerifiedResultRepositories(connection: Connection) {
  const extractions = extractionModel(connection);
  const documents = documentModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);

    /** Last changed first; without results of documents that no list shows. */
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
        .find({ _id, organization_id, ...listedDocuments, never_to_model_in: null }, { _id: 1 })
        .lean();
      const ids = new Set(present.map((document) => document._id.toHexString()));
      return verified.filter(({ document_id }) => ids.has(document_id.toHexString()));
    }

    return {
      /**
       * The newest verified result of each document, of any revision of the prompt, last changed first. With `limit`, only
       * the last changed results are considered.
       */
      async truth(promptId: string, limit?: number): Promise<TruthReference[]> {
        return newestOf(await verifiedOf(promptId, limit)).map(referenceOf);
      },
      /** Undefined if the result was changed or removed, or is no longer verified. */
      async get({
        document_id,
        prompt_revid,
        version,
      }: Pick<TruthReference, 'document_id' | 'prompt_revid' | 'version'>): Promise<VerifiedResult | undefined> {
        const [documentId, revision] = [objectIdOf(document_id), objectIdOf(prompt_revid)];
        if (!documentId || !revision) return undefined;
        const record = await extractions
          .findOne({ organization_id, document_id: documentId, prompt_revid: revision, version, is_verified: true })
          .lean();
        return record === null ? undefined : await resultOf(record);
      },
      /**
       * The verified results of these documents, one for each revision, read a few at a time. `isNewest` marks the last changed
       * result of each document. Those in the trash are among them.
       */
      async *results(
        promptId: string,
        documentIds: readonly string[],
      ): AsyncGenerator<VerifiedResult & { isNewest: boolean }> {
        const own = { organization_id, prompt_id: promptId.toLowerCase(), is_verified: true };
        const document_id = { $in: documentIds.flatMap((id) => objectIdOf(id) ?? []) };
        const heads = await extractions.find({ ...own, document_id }, { document_id: 1, changed_at: 1 }).lean();
        const inOrder = heads.toSorted((a, b) => Number(b.changed_at) - Number(a.changed_at) || compareIds(b, a));
        const newest = new Set(newestOf(inOrder).map(({ _id }) => _id.toHexString()));
        for (let at = 0; at < inOrder.length; at += readAtOnce) {
          const _id = { $in: inOrder.slice(at, at + readAtOnce).map((head) => head._id) };
          for (const record of await extractions.find({ ...own, _id }).lean()) {
            yield { ...(await resultOf(record)), isNewest: newest.has(record._id.toHexString()) };
          }
        }
      },
      /** The documents with verified results, in batches, newest first. */
      async *documentIds(promptId: string): AsyncGenerator<string[]> {
        const own = { organization_id, prompt_id: promptId.toLowerCase() };
        for (let before: Types.ObjectId | undefined; ;) {
          const earlier = before === undefined ? {} : { _id: { $lt: before } };
          const found = await extractions
            .find({ ...own, ...earlier }, { document_id: 1, is_verified: 1 })
            .sort({ _id: -1 })
            .limit(batchSize)
            .lean<(ExtractionReference & { is_verified: boolean })[]>();
          if (found.length === 0) return;
          before = found.at(-1)!._id;
          yield found.flatMap(({ document_id, is_verified }) => (is_verified ? [document_id.toHexString()] : []));
        }
      },
      /** The original answers of a prompt's revision, by document id. */
      async stored(promptRevid: string, documentIds: readonly string[]): Promise<Map<string, StoredResult>> {
        const prompt_revid = objectIdOf(promptRevid);
        const document_id = { $in: documentIds.flatMap((id) => objectIdOf(id) ?? []) };
        if (!prompt_revid) return new Map();
        const records = await extractions
          .find({ organization_id, document_id, prompt_revid }, { document_id: 1, original_result: 1, model: 1 })
          .lean();
        const stored = new Map<string, StoredResult>();
        for (const record of records) {
          const id = record.document_id.toHexString();
          const original_result = await parseStored(record.original_result);
          stored.set(id, { document_id: id, original_result, model: record.model });
        }
        return stored;
      },
    };
  };
}

const compareIds = (a: { _id: Types.ObjectId }, b: { _id: Types.ObjectId }) =>
  a._id.toHexString().localeCompare(b._id.toHexString());

/** The first result of each document. */
function newestOf<Reference extends { document_id: Types.ObjectId }>(references: readonly Reference[]): Reference[] {
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

const resultOf = async (record: ExtractionRecord): Promise<VerifiedResult> => ({
  ...referenceOf(record),
  schema_revid: record.schema_revid,
  result: await parseStored(record.result),
  original_result: await parseStored(record.original_result),
  grounding: await parseStored(record.grounding),
  model: record.model,
  created_at: record.created_at,
  unseen: (await factsOf(record)).unseen ?? [],
});
