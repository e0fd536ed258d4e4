import type { Document, Extraction, PageQuery, ReplaceLevel, VerificationLook } from '@docwright/contract';
import { type DocumentService, interrupted } from '../documents/index.ts';
import { declareWrites, type AuditWrites } from '../audit/index.ts';
import type { Actor } from '../identity/index.ts';
import type { PromptService } from '../prompts/index.ts';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import { parseChecks } from '../schemas/index.ts';
import {
  decideValues,
  type ValueDecisionInput,
  factsOfEdit,
  type ValueDecision,
  type ReviewReader,
  presentReview,
  isStanding,
} from '../value-risk/index.ts';
import type { ExtractionRepository } from './records/extraction-repository.ts';
import { extractionNotFound, extractionOrThrow, versionOrThrow, versionConflict } from './rules/extraction-errors.ts';
import { carryOver } from './carry-over.ts';
import { groundEdit, groundEdits, placeInBox } from './ground-edit.ts';
import { requestedExtraction } from './long/requested-extraction.ts';
import type { ProgressRepository } from './long/progress-repository.ts';
import type { VersionReader } from './records/extraction-version-repository.ts';
import { isAtOrBelow } from './rules/field-path.ts';
import { carryMarks } from './asking/page-views.ts';
import { createReplaceCheck, isUnattended, requireReplaceable } from './rules/replace-rules.ts';
import { editResult, resultValidator } from './rules/result-rules.ts';
import { choosePrompt, planExtraction, runExtraction, type RunDependencies } from './run-extraction.ts';
import { authorOf } from './version-author.ts';
import type { PageSelection } from '../../platform/database/page.ts';

interface ExtractionServiceDependencies extends Omit<
  RunDependencies,
  'documents' | 'extractions' | 'schemas' | 'progress'
> {
  auditWrites: AuditWrites;
  progressOf: (organizationId: string) => ProgressRepository;
  extractionsOf: (organizationId: string) => ExtractionRepository;
  versionsOf: (organizationId: string) => VersionReader;
  documentsFor: (
    actor: Actor,
  ) => RunDependencies['documents'] & Pick<DocumentService, 'get' | 'noteModelResult' | 'pages'>;
  reviewOf: (organizationId: string) => ReviewReader;
  promptsFor: (actor: Actor) => Pick<PromptService, 'get' | 'defaultFor'>;
  schemasFor: (actor: Actor) => RunDependencies['schemas'];
}

interface FieldChange {
  path: string;
  value: unknown;
  base_version: number;
}

/** The extractions that a user can access in one organization. */
export type ExtractionService = ReturnType<typeof extractionServiceFor>;

const writes = declareWrites<ExtractionService>({
  run: { tool: 'run_extraction', takes: ['document_id', 'prompt_revid', 'origin', '-', 'replace', 'base_version'] },
  updateField: { tool: 'update_extraction_field', takes: ['document_id', 'prompt_revid', '...', 'origin'] },
  decide: { tool: 'review_values', takes: ['document_id', 'prompt_revid', 'decisions', 'origin'] },
  setVerified: {
    tool: 'verify_extraction',
    takes: ['document_id', 'prompt_revid', 'is_verified', 'origin', '...'],
  },
  restore: { tool: 'restore_extraction', takes: ['document_id', 'prompt_revid', 'version', 'origin', 'base_version'] },
});

export function createExtractionService(
  dependencies: ExtractionServiceDependencies,
): (actor: Actor) => ExtractionService {
  return dependencies.auditWrites(writes, (actor) => extractionServiceFor(actor, dependencies));
}

function extractionServiceFor(actor: Actor, dependencies: ExtractionServiceDependencies) {
  const { validateData, ground } = dependencies;
  const extractions = dependencies.extractionsOf(actor.organizationId);
  const versions = dependencies.versionsOf(actor.organizationId);
  const reviews = dependencies.reviewOf(actor.organizationId);
  const documents = dependencies.documentsFor(actor);
  const prompts = dependencies.promptsFor(actor);
  const schemas = dependencies.schemasFor(actor);
  const progress = dependencies.progressOf(actor.organizationId);

  async function get(document_id: string, prompt_revid: string): Promise<Extraction> {
    await documents.get(document_id);
    return extractionOrThrow(await extractions.get(document_id, prompt_revid));
  }

  /** The current result with the risk of each value. */
  async function getWithReview(document_id: string, prompt_revid: string): Promise<Extraction> {
    await documents.get(document_id);
    const { extraction, facts } = extractionOrThrow(await extractions.withFacts(document_id, prompt_revid));
    return { ...extraction, ...(await presentReview(extraction, facts, await reviews.rules(extraction.prompt_id))) };
  }

  /** Adds the risk of each value to a written result, if it is still the current one. */
  async function withReview(written: Extraction): Promise<Extraction> {
    const [stored, rules] = await Promise.all([
      extractions.withFacts(written.document_id, written.prompt_revid),
      reviews.rules(written.prompt_id),
    ]);
    if (stored?.extraction.version !== written.version) return written;
    return { ...stored.extraction, ...(await presentReview(stored.extraction, stored.facts, rules)) };
  }

  async function editTools(extraction: Extraction) {
    const schema = extraction.schema_revid === undefined ? undefined : await schemas.get(extraction.schema_revid);
    const checks = schema ? parseChecks(schema.response_format, schema.checks) : [];
    return { validate: resultValidator(validateData, schema), checks };
  }

  return {
    /** Throws `extraction_not_found` if this revision of a prompt has no result on the document. */
    get: getWithReview,
    /** The newest result of the document, or the result of a prompt's revision. Undefined if no result exists. */
    async latest(document_id: string, prompt_revid?: string) {
      await documents.get(document_id);
      const found = await (prompt_revid === undefined
        ? extractions.latest(document_id)
        : extractions.get(document_id, prompt_revid));
      return found && (await withReview(found));
    },
    /** Differs after every change to a result of the document; 0 without results. */
    changeCount: (document_id: string) => extractions.changeCount(document_id),
    async list(document_id: string, page: PageSelection) {
      const [listed] = await Promise.all([extractions.list(document_id, page), documents.get(document_id)]);
      return { ...listed, skip: page.skip, limit: page.limit };
    },
    /**
     * Without `prompt_revid`, uses the newest prompt that applies by tag, else the newest one created for this document;
     * throws `no_prompt` if no prompt exists. Throws `result_edited` or `result_verified` if `replace` does not allow it to
     * replace a result that a user has reviewed, and `version_conflict` if the result is not at `base_version`.
     */
    async run(
      document_id: string,
      prompt_revid: string | undefined,
      origin?: WriteOrigin,
      signal?: AbortSignal,
      replace: ReplaceLevel = 'unreviewed',
      base_version?: number,
    ) {
      const earlier = await extractions.applied(origin);
      const document = await documents.get(document_id);
      if (earlier) {
        if (isUnfinished(document)) await documents.noteModelResult(document_id);
        return await withReview(earlier);
      }
      const prompt = await choosePrompt(prompts, document_id, prompt_revid);
      const current = await extractions.get(document_id, prompt.prompt_revid);
      if (isUnattended(origin))
        requireReplaceable(await extractions.verifiedOf(document_id, prompt.prompt_id), replace);
      const check = createReplaceCheck(current, replace, base_version);
      const asked = requestedExtraction(actor, origin, replace, current);
      const saved = await runExtraction(
        { ...dependencies, documents, extractions, schemas, progress },
        { actor, document, prompt, origin, signal, check, asked },
      );
      if (current !== undefined || replace !== 'unreviewed') return await withReview(saved);
      const carried = await carryOver({ extractions, editTools }, saved, authorOf(actor, origin), origin);
      const { carried_over } = carried ?? {};
      return { ...(await withReview(carried ?? saved)), ...(carried_over && { carried_over }) };
    },
    /** Plans the requests of a run with the same choice of prompt. Writes nothing. */
    async plan(document_id: string, prompt_revid: string | undefined) {
      const document = await documents.get(document_id);
      const prompt = await choosePrompt(prompts, document_id, prompt_revid);
      const { resolveModel, acceptsImages } = dependencies.models(actor.organizationId);
      const isSeen = await acceptsImages(await resolveModel(prompt.model));
      const { survey, schema } = await planExtraction({ documents, schemas }, document, prompt, isSeen);
      const requestCharacters = prompt.content.length + JSON.stringify(schema?.response_format ?? '').length;
      return { prompt_revid: prompt.prompt_revid, survey, requestCharacters, reads: prompt.second_read ? 2 : 1 };
    },
    /** Throws `version_conflict`, and `invalid_value` for a value that the schema refuses. A value that stands changes nothing. */
    async updateField(
      document_id: string,
      prompt_revid: string,
      { path, value, base_version }: FieldChange,
      origin?: WriteOrigin,
    ) {
      const earlier = await extractions.applied(origin);
      if (earlier) return await withReview(earlier);
      await documents.get(document_id);
      const stored = await extractions.withFacts(document_id, prompt_revid);
      if (stored === undefined) throw extractionNotFound();
      const { extraction, facts: former } = stored;
      if (extraction.version !== base_version) throw versionConflict(extraction.version);
      const { validate, checks } = await editTools(extraction);
      if (isStanding(extraction, path, value)) return await withReview(extraction);
      const { raw, ...edited } = await editResult(extraction, { path, value }, validate);
      const grounding = await groundEdit({ ground, documents }, extraction, edited.result, [path], raw);
      const isSame = (at: string) => !isAtOrBelow(at, path) && !isAtOrBelow(path, at);
      const written = { ...edited, grounding: await carryMarks(grounding, extraction.grounding, isSame) };
      const author = authorOf(actor, origin);
      const decision = author.kind === 'person' ? decisionBy(actor, 'corrected') : undefined;
      const facts = await factsOfEdit(former, extraction, { ...written, path }, checks, decision);
      const saved = await extractions.edit(extraction, base_version, { ...written, facts }, author, origin);
      if (saved) return await withReview(saved);
      const repeated = await extractions.applied(origin);
      if (repeated) return await withReview(repeated);
      throw versionConflict((await get(document_id, prompt_revid)).version);
    },
    /**
     * Confirms, corrects and clears values. All decisions can have the same base version. The result becomes verified when
     * its last open value is decided.
     */
    async decide(
      document_id: string,
      prompt_revid: string,
      decisions: readonly ValueDecisionInput[],
      origin?: WriteOrigin,
    ) {
      const author = authorOf(actor, origin);
      return await decideValues(
        {
          find: () => extractions.withFacts(document_id, prompt_revid),
          async editTools(extraction) {
            const { validate, checks } = await editTools(extraction);
            return { checks, edit: (before, change) => editResult(before, change, validate) };
          },
          ground: (...edit) => groundEdits({ ground, documents }, ...edit),
          placeIn: (...drawn) => placeInBox({ ground, documents }, ...drawn),
          save: (extraction, version, decided) => extractions.decide(extraction, version, decided, author, origin),
          decision: (state) => decisionBy(actor, state),
        },
        { document_id, prompt_revid },
        decisions,
      );
    },
    /**
     * Values that were neither decided nor seen are verified as unseen. Throws `version_conflict`, also if a request without a
     * version revokes what another user has verified.
     */
    async setVerified(
      document_id: string,
      prompt_revid: string,
      is_verified: boolean,
      origin?: WriteOrigin,
      look?: VerificationLook,
    ) {
      await documents.get(document_id);
      const mark = { is_verified, ...look, userId: actor.userId };
      const marked = await extractions.setVerified(document_id, prompt_revid, mark, origin);
      if (marked) return await withReview(marked);
      throw versionConflict((await get(document_id, prompt_revid)).version, look?.base_version ?? null);
    },
    /** Newest first. Throws `extraction_not_found` if there never was a result. */
    async versions(document_id: string, prompt_revid: string, page: PageQuery) {
      await documents.get(document_id);
      const listed = await versions.list(document_id, prompt_revid, page);
      if (listed.total_count === 0) throw extractionNotFound();
      return { ...listed, ...page };
    },
    /** Throws `version_not_found`. */
    async version(document_id: string, prompt_revid: string, version: number) {
      await documents.get(document_id);
      return versionOrThrow(await versions.get(document_id, prompt_revid, version), version);
    },
    /** Makes a new version, unless it equals the current one. Throws `version_not_found`, and `version_conflict` if it is not at `base_version`. */
    async restore(
      document_id: string,
      prompt_revid: string,
      version: number,
      origin?: WriteOrigin,
      base_version?: number,
    ) {
      const document = await documents.get(document_id);
      const author = authorOf(actor, origin);
      const restored = await extractions.restore(
        { document_id, prompt_revid },
        { version, base_version },
        author,
        origin,
      );
      // It might be the only result of the document.
      if (restored && document.state !== 'llm_processing') await documents.noteModelResult(document_id);
      return await withReview(versionOrThrow(restored, version));
    },
  };
}

function decisionBy({ userId }: Actor, state: ValueDecision['state']): ValueDecision {
  return { state, user_id: userId, at: new Date().toISOString() };
}

function isUnfinished({ state, state_error }: Document): boolean {
  const codes = [interrupted.code, 'extraction_failed'];
  return state === 'llm_processing' || (state_error !== undefined && codes.includes(state_error.code));
}
