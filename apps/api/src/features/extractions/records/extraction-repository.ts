import { isDeepStrictEqual } from 'node:util';
import type { Extraction, VerificationLook, VersionAuthor } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { objectIdOf, objectIdsOf } from '../../../platform/database/object-id.ts';
import { createTurnWriteRepositories } from '../../../turn-writes/turn-write-repository.ts';
import type { WriteOrigin } from '../../../turn-writes/write-origin.ts';
import { contentOfVersion } from './extraction-before.ts';
import { extractionModel, type ExtractionRecord } from './extraction-model.ts';
import {
  createExtractionVersions,
  factsOf,
  presentExtraction,
  type ExtractionKey,
  type ExtractionVersionRepository,
} from './extraction-version-repository.ts';
import { findInOrder, findLatest, findVerified, present } from './result-order-repository.ts';
import { parseStored, requireRoom, storedJson } from './compressed-json.ts';
import { factsOfVerification, type DecidedResult, type ReviewFacts } from '../../value-risk/index.ts';
import {
  createResultWriter,
  type EditedResult,
  type FinishedRun,
  type ResultWriter,
} from './result-writer-repository.ts';
import { createResultRemoval, type ResultRemoval } from './result-removal-repository.ts';
import { ifSeen } from '../rules/replace-rules.ts';

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
  /** Stores an edit as the next version. Undefined if the result is no longer at `baseVersion` or the call was applied before. */
  const replaceEdited = async (
    key: ExtractionKey,
    baseVersion: number,
    { edited, facts, is_verified }: DecidedResult & { edited: EditedResult },
    author: VersionAuthor,
    origin: WriteOrigin | undefined,
    tool: string,
  ) =>
    await writer.replace(
      key,
      tool,
      async (former) => {
        const isApplied = origin && former?.applied_calls.includes(origin.call_id);
        if (former === undefined || former.version !== baseVersion || isApplied) return undefined;
        const { prompt_id, schema_revid, original_result, issues, model: name, usage, created_at } = former;
        return {
          prompt_id,
          schema_revid,
          ...(issues && { issues }),
          model: name,
          repaired: former.repaired ?? false,
          usage,
          created_at,
          ...requireRoom({
            result: await storedJson(edited.result),
            original_result,
            grounding: await storedJson(edited.grounding),
            review_facts: await storedJson(facts),
          }),
          validation_errors: edited.validation_errors,
          is_edited: true,
          is_verified,
          verified_by: is_verified ? (author.user_id ?? null) : null,
          changed_at: new Date(),
          author,
          action: 'edited',
        };
      },
      origin,
    );
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
    /** Undefined if the result is no longer at `baseVersion`, or if the call was applied before. */
    async edit(
      { document_id, prompt_revid }: Pick<Extraction, 'document_id' | 'prompt_revid'>,
      baseVersion: number,
      { facts, ...edited }: EditedResult & { facts: ReviewFacts },
      author: VersionAuthor,
      origin?: WriteOrigin,
    ): Promise<Extraction | undefined> {
      const key = one(document_id, prompt_revid);
      return (
        key &&
        (await replaceEdited(
          key,
          baseVersion,
          { facts, edited, is_verified: false },
          author,
          origin,
          'update_extraction_field',
        ))
      );
    },
    /** Undefined in the same cases as `edit`. Without a correction the version stays the same. */
    async decide(
      { document_id, prompt_revid }: Pick<Extraction, 'document_id' | 'prompt_revid'>,
      baseVersion: number,
      { edited, ...decided }: DecidedResult,
      author: VersionAuthor,
      origin?: WriteOrigin,
    ): Promise<Extraction | undefined> {
      const key = one(document_id, prompt_revid);
      if (!key) return undefined;
      if (edited) return await replaceEdited(key, baseVersion, { edited, ...decided }, author, origin, 'review_values');
      const verified_by = decided.is_verified ? (author.user_id ?? null) : null;
      const change = { is_verified: decided.is_verified, review_facts: await storedJson(decided.facts), verified_by };
      return await writer.mark(
        key,
        'review_values',
        ({ version }) => (version === baseVersion ? change : undefined),
        origin,
      );
    },
    /**
     * Stores a previous version as a new one, unless it is the current one or equals it. Undefined if that version does not
     * exist.
     */
    async restore(
      { document_id, prompt_revid }: Pick<Extraction, 'document_id' | 'prompt_revid'>,
      { version, base_version }: { version: number; base_version?: number | undefined },
      author: VersionAuthor,
      origin?: WriteOrigin,
    ): Promise<Extraction | undefined> {
      const key = one(document_id, prompt_revid);
      if (!key) return undefined;
      const current = await model.findOne(key).lean();
      if (current?.version === version) return await presentExtraction(current);
      const stored = await versions.get(key, version);
      if (!stored) return undefined;
      const content = contentOfVersion(stored);
      if (current && isDeepStrictEqual(contentOfVersion(current), content)) return await presentExtraction(current);
      const restored = {
        ...content,
        verified_by: content.is_verified ? (author.user_id ?? null) : null,
        changed_at: new Date(),
        author,
        action: 'restored',
        restored_from: version,
      } as const;
      return await writer.replace(key, 'restore_extraction', ifSeen(restored, base_version), origin);
    },
    /** Undefined if the result is at another version, or if a request without one takes back what somebody else has verified. */
    async setVerified(
      documentId: string,
      promptRevid: string,
      { is_verified, base_version, userId, ...seen }: VerificationLook & { is_verified: boolean; userId: string },
      origin?: WriteOrigin,
    ): Promise<Extraction | undefined> {
      const key = one(documentId, promptRevid);
      const changeOf = async (record: ExtractionRecord) => {
        if (base_version !== undefined && record.version !== base_version) return undefined;
        // Without a name it may be the user's own.
        const isOfOther = record.is_verified && (record.verified_by ?? userId) !== userId;
        if (!is_verified && isOfOther && base_version === undefined) return undefined;
        const former = { result: await parseStored(record.result), is_verified: record.is_verified };
        const after = await factsOfVerification(await factsOf(record), former, is_verified, seen);
        const former_by = record.is_verified ? (record.verified_by ?? null) : userId;
        return { is_verified, review_facts: await storedJson(after), verified_by: is_verified ? former_by : null };
      };
      return key && (await writer.mark(key, 'verify_extraction', changeOf, origin));
    },
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
