import { incompleteResults, type DocumentFilter, type IncompleteResults } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter, type Types } from 'mongoose';
import { type DocumentRecord, documentModel, listedDocuments, nameHas } from '../../documents/index.ts';
import { readTogether } from '../../../platform/database/joint-reads.ts';
import { objectIdsOf } from '../../../platform/database/object-id.ts';
import { extractionModel, type ExtractionRecord } from './extraction-model.ts';

/** Finds the documents of a run in one organization. */
export type MatchingDocumentRepository = ReturnType<ReturnType<typeof createMatchingDocumentRepositories>>;

const batchSize = 500;

export function createMatchingDocumentRepositories(connection: Connection) {
  const documents = documentModel(connection);
  const extractions = extractionModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);

    async function withoutResult(ids: Types.ObjectId[], promptId: string | undefined): Promise<Types.ObjectId[]> {
      const withResult = await extractions.distinct('document_id', {
        organization_id,
        document_id: { $in: ids },
        ...(promptId === undefined ? {} : { prompt_id: promptId }),
      });
      const known = new Set(withResult.map((id) => id.toHexString()));
      return ids.filter((id) => !known.has(id.toHexString()));
    }

    return {
      /** Counts the matching documents, and returns the `limit` oldest ones. */
      async find(
        filter: DocumentFilter,
        { promptId, limit, signal }: { promptId?: string | undefined; limit: number; signal?: AbortSignal },
      ): Promise<{ matched: number; documentIds: string[] }> {
        const found: string[] = [];
        let matched = 0;
        let batch: Types.ObjectId[] = [];
        const countBatch = async () => {
          const matching = filter.without_result === true ? await withoutResult(batch, promptId) : batch;
          matched += matching.length;
          found.push(...matching.slice(0, limit - found.length).map((id) => id.toHexString()));
          batch = [];
        };
        const cursor = documents
          .find(queryOf(organization_id, filter, connection), { _id: 1 })
          .sort({ upload_date: 1, _id: 1 })
          .lean()
          .cursor({ batchSize });
        for await (const { _id } of cursor) {
          signal?.throwIfAborted();
          batch.push(_id);
          if (batch.length === batchSize) await countBatch();
        }
        if (batch.length > 0) await countBatch();
        return { matched, documentIds: found };
      },
      /** Returns the `ids` of documents that exist. */
      async existing(ids: readonly string[]): Promise<string[]> {
        return [...(await this.namesOf(ids)).keys()];
      },
      async namesOf(ids: readonly string[], which?: 'for models'): Promise<Map<string, string>> {
        const _id = { $in: ids.map((id) => new mongoose.Types.ObjectId(id)) };
        const allowed = which === undefined ? {} : { never_to_model_in: null };
        const filter = { _id, organization_id, deleted_at: null, ...allowed };
        const records = await documents.find(filter, { document_name: 1 }).lean();
        return new Map(records.map((record) => [record._id.toHexString(), record.document_name]));
      },
    };
  };
}

function queryOf(
  organization_id: Types.ObjectId,
  filter: DocumentFilter,
  connection: Connection,
): QueryFilter<DocumentRecord> {
  const query: QueryFilter<DocumentRecord> = { organization_id, ...listedDocuments };
  if (filter.tag_ids?.length) query.tag_ids = { $all: filter.tag_ids.map((id) => new mongoose.Types.ObjectId(id)) };
  if (filter.states) query.state = { $in: filter.states };
  if (filter.name_search) Object.assign(query, nameHas(filter.name_search, connection));
  return query;
}

/**
 * Finds the documents with incomplete results. A result counts until its prompt has a newer one on the document. Without
 * incomplete results this takes one query on an index.
 */
export function createIncompleteResults(
  connection: Connection,
): (organizationId: string, documentIds: readonly string[]) => Promise<Map<string, IncompleteResults>> {
  const extractions = extractionModel(connection);
  const codes = incompleteResults.shape.codes.element.options;
  type Found = Pick<ExtractionRecord, '_id' | 'document_id' | 'prompt_id' | 'issues'>;
  return async (organizationId, documentIds) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const shown = { _id: 1, document_id: 1, prompt_id: 1, 'issues.code': 1 } as const;
    const filter = { organization_id, document_id: { $in: objectIdsOf(documentIds) }, 'issues.code': { $in: codes } };
    const incomplete: Found[] = await readTogether(extractions, filter, { projection: shown });
    if (incomplete.length === 0) return new Map();
    const keyOf = ({ document_id, prompt_id }: Found) => `${document_id.toHexString()} ${prompt_id}`;
    const newest = new Map<string, string>();
    const others = {
      organization_id,
      document_id: { $in: incomplete.map(({ document_id }) => document_id) },
      prompt_id: { $in: incomplete.map(({ prompt_id }) => prompt_id) },
    };
    const all: Found[] = await extractions.find(others, shown).sort({ changed_at: 1, _id: 1 }).lean();
    for (const found of all) newest.set(keyOf(found), found._id.toHexString());
    const results = new Map<string, IncompleteResults>();
    for (const found of incomplete) {
      if (newest.get(keyOf(found)) !== found._id.toHexString()) continue;
      const id = found.document_id.toHexString();
      const { count, codes: known } = results.get(id) ?? { count: 0, codes: [] };
      const own = new Set([...known, ...(found.issues ?? []).map(({ code }) => code)]);
      results.set(id, { count: count + 1, codes: codes.filter((code) => own.has(code)) });
    }
    return results;
  };
}
