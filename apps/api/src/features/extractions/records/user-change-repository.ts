import { isDeepStrictEqual } from 'node:util';
import type { Extraction, VerificationLook, VersionAuthor } from '@docwright/contract';
import type { WriteOrigin } from '../../../turn-writes/write-origin.ts';
import { factsOfVerification, type DecidedResult, type ReviewFacts } from '../../value-risk/index.ts';
import { ifSeen } from '../rules/replace-rules.ts';
import { parseStored, requireRoom, storedJson } from './compressed-json.ts';
import { contentOfVersion } from './extraction-before.ts';
import type { extractionModel, ExtractionRecord } from './extraction-model.ts';
import {
  factsOf,
  presentExtraction,
  type ExtractionKey,
  type ExtractionVersionRepository,
} from './extraction-version-repository.ts';
import type { EditedResult, ResultWriter } from './result-writer-repository.ts';

/** What users change in the results of one organization: values, the version, and whether they are verified. */
export function createUserChanges(
  model: ReturnType<typeof extractionModel>,
  versions: ExtractionVersionRepository,
  writer: ResultWriter,
  /** The key of a result; undefined for a malformed id. */
  one: (documentId: string, promptRevid: string) => ExtractionKey | undefined,
) {
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
    /** Undefined if the result is at another version, or if a request without one revokes what another user has verified. */
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
  };
}
