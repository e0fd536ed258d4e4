import type { Extraction } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { documentModel } from '../documents/index.ts';
import { extractionModel, factsOf, parseStored, type ExtractionRecord } from '../extractions/index.ts';
import { countOpen, reviewQueueModel } from '../review/index.ts';
import { createReviewReaders, reviewedValues, type ReviewRules } from '../value-risk/index.ts';
import { pageInOrder, type PageEnd, type PageSelection } from '../../platform/database/page.ts';

/** The pending documents of one prompt. */
export interface KindProposal {
  promptId: string;
  documentCount: number;
}

export interface WaitingDocument {
  id: string;
  name: string;
  promptId: string;
}

export interface ProposedResult {
  result: Extraction['result'];
  /** The paths of the values to check; empty unless `isReviewed` is set. */
  pathsToCheck: readonly string[];
}

/** An index finds so many prompts one after the other faster than it reads all documents. */
const maxSingly = 50;

export type ProposedKindRepository = ReturnType<typeof createProposedKindRepository>;

export function createProposedKindRepository(connection: Connection) {
  const documents = documentModel(connection);
  const extractions = extractionModel(connection);
  const queue = reviewQueueModel(connection);
  const readersOf = createReviewReaders(connection);
  const waiting = (organizationId: string) => ({
    organization_id: new mongoose.Types.ObjectId(organizationId),
    'auto_create.status': 'proposed' as const,
    deleted_at: null,
  });

  /** The prompts with a pending document; undefined if they are many. */
  async function fewPendingPrompts(organizationId: string): Promise<string[] | undefined> {
    const found: string[] = [];
    while (found.length <= maxSingly) {
      const next = await documents
        .findOne(
          { ...waiting(organizationId), 'auto_create.prompt_id': { $gt: found.at(-1) ?? '' } },
          { 'auto_create.prompt_id': 1 },
        )
        .sort({ 'auto_create.prompt_id': 1 })
        .lean<{ auto_create: { prompt_id: string } }>();
      if (next === null) return found;
      found.push(next.auto_create.prompt_id);
    }
    return undefined;
  }

  async function pendingKinds(organizationId: string): Promise<KindProposal[]> {
    const promptIds = await fewPendingPrompts(organizationId);
    if (promptIds === undefined) {
      const groups = await documents.aggregate<{ _id: string; count: number }>([
        { $match: { ...waiting(organizationId), 'auto_create.prompt_id': { $gt: '' } } },
        { $group: { _id: '$auto_create.prompt_id', count: { $sum: 1 } } },
      ]);
      return groups.map(({ _id, count }) => ({ promptId: _id, documentCount: count }));
    }
    return await Promise.all(
      promptIds.map(async (promptId) => {
        const own = { ...waiting(organizationId), 'auto_create.prompt_id': promptId };
        return { promptId, documentCount: await documents.countDocuments(own) };
      }),
    );
  }

  return {
    /** Kinds with a pending document, those with the most documents first. */
    async list(
      organizationId: string,
      page: PageSelection,
    ): Promise<{ kinds: KindProposal[]; end: PageEnd; documentCount: number }> {
      const kinds = (await pendingKinds(organizationId)).filter(({ documentCount }) => documentCount > 0);
      const { items, end } = pageInOrder(kinds, page, { documentCount: -1, promptId: 1 });
      return {
        kinds: items,
        end,
        documentCount: kinds.reduce((sum, { documentCount }) => sum + documentCount, 0),
      };
    },
    /** The number of pending documents of the kind. Undefined if it never had a document. */
    async count(organizationId: string, promptId: string): Promise<number | undefined> {
      const own = { ...waiting(organizationId), 'auto_create.prompt_id': promptId };
      const count = await documents.countDocuments(own);
      if (count > 0) return count;
      const { 'auto_create.status': _, ...withoutStatus } = own;
      return (await documents.exists(withoutStatus)) === null ? undefined : 0;
    },
    /** At most `limit` pending documents of each kind, ordered by name. */
    async documents(organizationId: string, promptIds: readonly string[], limit: number): Promise<WaitingDocument[]> {
      const found = await Promise.all(
        promptIds.map((promptId) =>
          documents
            .find({ ...waiting(organizationId), 'auto_create.prompt_id': promptId }, { document_name: 1 })
            .sort({ name_key: 1, _id: 1 })
            .limit(limit)
            .lean(),
        ),
      );
      return found.flatMap((records, at) =>
        records.map(({ _id, document_name }) => ({
          id: _id.toHexString(),
          name: document_name,
          promptId: promptIds[at] ?? '',
        })),
      );
    },
    /** Returns the documents that belong to the kind, decided or not. */
    async membersAmong(organizationId: string, promptId: string, documentIds: readonly string[]): Promise<Set<string>> {
      const records = await documents
        .find(
          {
            _id: { $in: objectIdsOf(documentIds) },
            organization_id: new mongoose.Types.ObjectId(organizationId),
            'auto_create.prompt_id': promptId,
            deleted_at: null,
          },
          { _id: 1 },
        )
        .lean();
      return new Set(records.map(({ _id }) => _id.toHexString()));
    },
    /** The largest risk among the open values of each document in the review queue, and the number of values to check. */
    async risks(
      organizationId: string,
      proposed: readonly WaitingDocument[],
    ): Promise<Map<string, { risk: number; to_check: number }>> {
      const filter = {
        organization_id: new mongoose.Types.ObjectId(organizationId),
        document_id: { $in: objectIdsOf(proposed.map(({ id }) => id)) },
        prompt_id: { $in: promptIdsOf(proposed) },
      };
      const records = await queue.collection.find(filter, { batchSize: 1_000 }).toArray();
      const promptOf = new Map(proposed.map(({ id, promptId }) => [id, promptId]));
      return new Map(
        records.flatMap((record) => {
          const id = String(record['document_id']);
          const open = Buffer.from((record['open'] as mongoose.mongo.Binary).buffer);
          if (promptOf.get(id) !== record['prompt_id']) return [];
          return [[id, { risk: countOpen(open, { all: true }).topRisk, to_check: countOpen(open, {}).count }]];
        }),
      );
    },
    /** The newest result of each document by its prompt. */
    async results(
      organizationId: string,
      proposed: readonly WaitingDocument[],
      { isReviewed }: { isReviewed: boolean },
    ): Promise<Map<string, ProposedResult>> {
      const review = isReviewed ? { original_result: 1, is_verified: 1, review_facts: 1 } : {};
      const promptIds = promptIdsOf(proposed);
      const readers = readersOf(organizationId);
      const [records, rules] = await Promise.all([
        extractions
          .find(
            {
              organization_id: new mongoose.Types.ObjectId(organizationId),
              document_id: { $in: objectIdsOf(proposed.map(({ id }) => id)) },
              prompt_id: { $in: promptIds },
            },
            { document_id: 1, prompt_id: 1, result: 1, changed_at: 1, ...review },
          )
          .lean<ExtractionRecord[]>(),
        Promise.all(promptIds.map(async (id) => [id, isReviewed ? await readers.rules(id) : undefined] as const)),
      ]);
      const promptOf = new Map(proposed.map(({ id, promptId }) => [id, promptId]));
      const newest = new Map<string, ExtractionRecord>();
      for (const record of records) {
        const id = record.document_id.toHexString();
        if (promptOf.get(id) !== record.prompt_id) continue;
        const known = newest.get(id);
        if (known === undefined || known.changed_at <= record.changed_at) newest.set(id, record);
      }
      const rulesOf = new Map(rules);
      const results = new Map<string, ProposedResult>();
      for (const [id, record] of newest) results.set(id, await resultOf(record, rulesOf.get(record.prompt_id)));
      return results;
    },
  };
}

async function resultOf(record: ExtractionRecord, rules: ReviewRules | undefined): Promise<ProposedResult> {
  const { document_id, is_verified, review_facts = '' } = record;
  const result: ProposedResult['result'] = await parseStored(record.result);
  // Results from before facts were stored have no risk.
  if (rules === undefined || review_facts === '') return { result, pathsToCheck: [] };
  const original_result: ProposedResult['result'] = await parseStored(record.original_result);
  const reviewed = { document_id: document_id.toHexString(), result, original_result, is_verified };
  const values = await reviewedValues(reviewed, await factsOf(record), rules);
  return { result, pathsToCheck: values.filter(({ toCheck }) => toCheck).map(({ path }) => path) };
}

function promptIdsOf(documents: readonly WaitingDocument[]): string[] {
  return [...new Set(documents.map(({ promptId }) => promptId))];
}
