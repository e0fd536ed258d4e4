import type { Extraction, VersionAuthor } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { objectIdOf, objectIdsOf } from '../../../platform/database/object-id.ts';
import { createTurnWriteRepositories } from '../../../turn-writes/turn-write-repository.ts';
import type { WriteOrigin } from '../../../turn-writes/write-origin.ts';
import { extractionModel } from './extraction-model.ts';
import {
  createExtractionVersions,
  factsOf,
  presentExtraction,
  type ExtractionVersionRepository,
} from './extraction-version-repository.ts';
import { findInOrder, findLatest, findVerified, present } from './result-order-repository.ts';
import { requireRoom, storedJson } from './compressed-json.ts';
import type { ReviewFacts } from '../../value-risk/index.ts';
import { createResultWriter, type FinishedRun, type ResultWriter } from './result-writer-repository.ts';
import { createResultRemoval, type ResultRemoval } from './result-removal-repository.ts';
import { createUserChanges } from './user-change-repository.ts';

/** The extractions of one organization. A malformed id finds nothing. */
export type ExtractionRepository = ReturnType<typeof repositoryOf>;

export function createExtractionRepositories(connection: Connection): (organizationId: string) => ExtractionRepository {
  const model = extractionModel(connection);
  const writesOf = createTurnWriteRepositories(connection);
  const versions = createExtractionVersions(connection);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const writer = createResultWriter(connection, writesOf(organizationId), organization_id);
    return repositoryOf(model, versions, { ...writer, removal: createResultRemoval(connection) }, organization_id);
  };
}

function repositoryOf(
  model: ReturnType<typeof extractionModel>,
  versions: ExtractionVersionRepository,
  { removal, ...writer }: ResultWriter & { removal: ResultRemoval },
  organization_id: mongoose.Types.ObjectId,
) {
  const ofDocument = (documentId: string) => {
    const document_id = objectIdOf(documentId);
    return document_id && { organization_id, document_id };
  };
  const one = (documentId: string, promptRevid: string) => {
    const document = ofDocument(documentId);
    const prompt_revid = objectIdOf(promptRevid);
    return document && prompt_revid && { ...document, prompt_revid };
  };
  return {
    async get(documentId: string, promptRevid: string): Promise<Extraction | undefined> {
      const filter = one(documentId, promptRevid);
      return filter && (await present(await model.findOne(filter).lean()));
    },
    /** The last changed result. */
    async latest(documentId: string): Promise<Extraction | undefined> {
      const filter = ofDocument(documentId);
      return filter && (await present(await findLatest(model, filter)));
    },
    /** The newest verified one of all revisions. */
    verifiedOf: async (documentId: string, promptId: string): Promise<Extraction | undefined> => {
      const filter = ofDocument(documentId);
      return filter && (await present(await findVerified(model, filter, promptId)));
    },
    /** Last changed first. */
    async list(
      documentId: string,
      page: { skip: number; limit: number },
    ): Promise<{ extractions: Extraction[]; total_count: number }> {
      const filter = ofDocument(documentId);
      return filter ? await findInOrder(model, filter, page) : { extractions: [], total_count: 0 };
    },
    /** A number that differs after every change to a result of the document. */
    async changeCount(documentId: string): Promise<number> {
      const filter = ofDocument(documentId);
      const records = filter ? await model.find(filter, { changes: 1, _id: 0 }).lean() : [];
      return records.reduce((sum, { changes }) => sum + 1 + changes, 0);
    },
    /** The result of a call that has already written. */
    applied: (origin: WriteOrigin | undefined): Promise<Extraction | undefined> => writer.applied(origin),
    /**
     * Replaces the current version, which is archived. Of two concurrent runs the last to finish stays, one version above
     * the other. `check` throws if the current result must not be replaced, and sees exactly the result to be replaced.
     */
    async saveRun(
      run: FinishedRun & { facts: ReviewFacts },
      {
        author,
        check,
      }: {
        author: VersionAuthor;
        check: (present: Pick<Extraction, 'version' | 'is_verified' | 'is_edited'> | undefined) => void;
      },
      origin?: WriteOrigin,
    ): Promise<Extraction> {
      const key = one(run.document_id, run.prompt_revid);
      if (!key) throw new Error('A run names a document and a prompt.');
      const repeated = await writer.applied(origin);
      if (repeated) return repeated;
      const result = await storedJson(run.result);
      const texts = requireRoom({
        result,
        original_result: result,
        grounding: await storedJson(run.grounding),
        review_facts: await storedJson(run.facts),
      });
      const saved = await writer.replace(
        key,
        'run_extraction',
        (former) => {
          check(former);
          const now = new Date();
          return {
            prompt_id: run.prompt_id,
            schema_revid: run.schema_revid ?? null,
            ...texts,
            validation_errors: run.validation_errors,
            issues: run.issues,
            is_edited: false,
            is_verified: false,
            model: run.model,
            repaired: run.repaired ?? false,
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
    /** The result with the facts for its review. */
    async withFacts(
      documentId: string,
      promptRevid: string,
    ): Promise<{ extraction: Extraction; facts: ReviewFacts } | undefined> {
      const filter = one(documentId, promptRevid);
      const record = filter && (await model.findOne(filter).lean());
      if (!record) return undefined;
      const facts = await factsOf(record);
      return { extraction: await presentExtraction(record, facts), facts };
    },
    ...createUserChanges(model, versions, writer, one),
    async removeAll(documentId: string): Promise<void> {
      const filter = ofDocument(documentId);
      if (!filter) return;
      await removal.removeAll(filter, 'trashed');
      await versions.removeAll(filter);
    },
    /** Removes the results of every revision of the prompt. Those that a user has verified stay unless they are included. */
    async removeOfPrompt(
      documentIds: readonly string[],
      promptId: string,
      { includingVerified = false }: { includingVerified?: boolean } = {},
    ): Promise<void> {
      const filter = { organization_id, document_id: { $in: objectIdsOf(documentIds) }, prompt_id: promptId };
      const unverified = includingVerified ? {} : { is_verified: { $ne: true } };
      await removal.removeAll({ ...filter, ...unverified }, 'undone');
    },
  };
}
