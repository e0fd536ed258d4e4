import type { LlmClient } from '@docwright/agent-core';
import {
  DomainError,
  type Document,
  type Extraction,
  type Prompt,
  type Schema,
  type ValidationError,
} from '@docwright/contract';
import type { groundResult, Page } from '@docwright/documents';
import type { DocumentService } from '../documents/document-service.ts';
import { requireWriter, type Actor } from '../identity/actor.ts';
import type { ModelService } from '../llm/model-service.ts';
import type { PromptService } from '../prompts/prompt-service.ts';
import type { WriteOrigin } from '../revisions/write-origin.ts';
import type { DataValidator } from '../schemas/data-validator.ts';
import type { SchemaService } from '../schemas/schema-service.ts';
import { extractWithModel } from './extract-with-model.ts';
import type { ExtractionRepository } from './extraction-repository.ts';
import { documentCharacters, mostDocumentCharacters } from './extraction-request.ts';
import { isAtOrBelow, withValueAt } from './field-path.ts';

export interface ExtractionServiceDependencies {
  extractionsOf: (organizationId: string) => ExtractionRepository;
  documentsFor: (actor: Actor) => Pick<DocumentService, 'get' | 'pages' | 'setModelState'>;
  promptsFor: (actor: Actor) => Pick<PromptService, 'get' | 'defaultFor'>;
  schemasFor: (actor: Actor) => Pick<SchemaService, 'get'>;
  models: Pick<ModelService, 'resolveModel'>;
  llm: LlmClient;
  validateData: DataValidator;
  ground: typeof groundResult;
  log: { warn(fields: object, message: string): void };
}

export interface FieldChange {
  path: string;
  value: unknown;
  base_version: number;
}

/** The extractions that one person may work with in one organization. */
export interface ExtractionService {
  /** The newest result of the document, or of that prompt's revision; undefined where there is none yet. */
  latest(document_id: string, prompt_revid?: string): Promise<Extraction | undefined>;
  /** `extraction_not_found` where that prompt's revision has not run on the document. */
  get(document_id: string, prompt_revid: string): Promise<Extraction>;
  list(
    document_id: string,
    page: { skip: number; limit: number },
  ): Promise<{ extractions: Extraction[]; total_count: number; skip: number; limit: number }>;
  /** Without a prompt: the newest that applies by tag, else the newest made for this document, else `no_prompt`. */
  run(
    document_id: string,
    prompt_revid: string | undefined,
    origin?: WriteOrigin,
    signal?: AbortSignal,
  ): Promise<Extraction>;
  /** `version_conflict` where `base_version` is not the current one, `invalid_value` where the schema refuses the value. */
  updateField(
    document_id: string,
    prompt_revid: string,
    change: FieldChange,
    origin?: WriteOrigin,
  ): Promise<Extraction>;
  setVerified(document_id: string, prompt_revid: string, is_verified: boolean): Promise<Extraction>;
}

export function createExtractionService(
  dependencies: ExtractionServiceDependencies,
): (actor: Actor) => ExtractionService {
  return (actor) => extractionServiceFor(actor, dependencies);
}

function extractionServiceFor(actor: Actor, dependencies: ExtractionServiceDependencies): ExtractionService {
  const { models, llm, validateData, ground, log } = dependencies;
  const extractions = dependencies.extractionsOf(actor.organizationId);
  const documents = dependencies.documentsFor(actor);
  const prompts = dependencies.promptsFor(actor);
  const schemas = dependencies.schemasFor(actor);

  async function get(document_id: string, prompt_revid: string): Promise<Extraction> {
    await documents.get(document_id);
    return found(await extractions.get(document_id, prompt_revid));
  }

  async function choosePrompt(document_id: string, prompt_revid: string | undefined): Promise<Prompt> {
    if (prompt_revid === undefined) {
      const prompt = await prompts.defaultFor(document_id);
      if (prompt) return prompt;
      throw new DomainError(
        'invalid',
        'no_prompt',
        'No prompt applies to this document. Name one by prompt_revid, or give a prompt and the document a tag in common.',
      );
    }
    return await prompts.get(prompt_revid).catch((error: unknown) => {
      if (!(error instanceof DomainError && error.kind === 'not_found')) throw error;
      throw new DomainError(
        'invalid',
        'unknown_reference',
        'There is no such prompt revision. List the prompts and use a prompt_revid from there.',
      );
    });
  }

  function validatorOf(schema: Schema | undefined): (result: unknown) => ValidationError[] {
    if (schema) return (result) => validateData(schema, result).errors;
    return (result) =>
      typeof result === 'object' && result !== null && !Array.isArray(result)
        ? []
        : [{ path: '', message: 'must be a JSON object' }];
  }

  async function extract(
    document: Document,
    prompt: Prompt,
    pages: Page[],
    origin: WriteOrigin | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Extraction> {
    const schema = prompt.schema_revid === undefined ? undefined : await schemas.get(prompt.schema_revid);
    const model = await models.resolveModel(prompt.model);
    await documents.setModelState(document.id, 'llm_processing');
    try {
      const extracted = await extractWithModel({
        llm,
        model,
        task: {
          prompt: prompt.content,
          documentName: document.document_name,
          pages,
          responseFormat: schema?.response_format,
        },
        validate: validatorOf(schema),
        signal,
      });
      signal?.throwIfAborted();
      await documents.get(document.id);
      const run = {
        document_id: document.id,
        prompt_revid: prompt.prompt_revid,
        prompt_id: prompt.prompt_id,
        ...(schema ? { schema_revid: schema.schema_revid } : {}),
        grounding: ground(extracted.result, pages),
        model,
        ...extracted,
      };
      const saved = await extractions.saveRun(run, origin);
      await documents.setModelState(document.id, 'llm_completed');
      return saved;
    } catch (error) {
      await noteFailure(document, error, signal);
      throw error;
    }
  }

  /** A run that was stopped leaves a document that has a result as it was. */
  async function noteFailure(document: Document, error: unknown, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted && document.state === 'llm_completed') {
      await documents.setModelState(document.id, 'llm_completed');
      return;
    }
    await documents.setModelState(document.id, 'llm_failed', reasonOf(error, signal));
  }

  return {
    get,
    async latest(document_id, prompt_revid) {
      await documents.get(document_id);
      return await (prompt_revid === undefined
        ? extractions.latest(document_id)
        : extractions.get(document_id, prompt_revid));
    },
    async list(document_id, { skip, limit }) {
      await documents.get(document_id);
      return { ...(await extractions.list(document_id, { skip, limit })), skip, limit };
    },
    async run(document_id, prompt_revid, origin, signal) {
      requireWriter(actor);
      const earlier = await extractions.applied(origin);
      if (earlier) return earlier;
      const document = await documents.get(document_id);
      const prompt = await choosePrompt(document_id, prompt_revid);
      const pages = await documents.pages(document_id);
      requireText(document, pages);
      const characters = documentCharacters(pages);
      if (characters > mostDocumentCharacters) {
        log.warn(
          { document_id, characters, sent: mostDocumentCharacters },
          'the text of a document was cut for the model',
        );
      }
      return await extract(document, prompt, pages, origin, signal);
    },
    async updateField(document_id, prompt_revid, { path, value, base_version }, origin) {
      requireWriter(actor);
      const earlier = await extractions.applied(origin);
      if (earlier) return earlier;
      if (value === undefined) {
        throw new DomainError('unprocessable', 'value_missing', 'Send the "value" to set; null clears the field.');
      }
      const extraction = await get(document_id, prompt_revid);
      if (extraction.version !== base_version) throw versionConflict(extraction.version);
      const schema = extraction.schema_revid === undefined ? undefined : await schemas.get(extraction.schema_revid);
      const edited = withValueAt(extraction.result, path, value);
      if (edited.isNew && !schema) {
        throw new DomainError('invalid', 'unknown_path', `There is no field "${path}", and no schema that has one.`);
      }
      const validation_errors = validatorOf(schema)(edited.result);
      requireValid(path, validation_errors, extraction.validation_errors);
      const grounding = ground(edited.result, await documents.pages(document_id));
      const saved = await extractions.edit(
        extraction,
        base_version,
        { result: edited.result, grounding, validation_errors },
        origin,
      );
      if (saved) return saved;
      const repeated = await extractions.applied(origin);
      if (repeated) return repeated;
      throw versionConflict((await get(document_id, prompt_revid)).version);
    },
    async setVerified(document_id, prompt_revid, is_verified) {
      requireWriter(actor);
      await documents.get(document_id);
      return found(await extractions.setVerified(document_id, prompt_revid, is_verified));
    },
  };
}

function requireText(document: Document, pages: Page[]): void {
  if (document.state === 'uploaded' || document.state === 'ocr_processing') {
    throw new DomainError(
      'conflict',
      'document_not_read_yet',
      `The text of the document is still being read (state ${document.state}). Try again when it is ocr_completed.`,
    );
  }
  if (pages.some((page) => page.text.trim() !== '')) return;
  const reason = document.state_error?.message ?? 'No text was found on its pages.';
  throw new DomainError('conflict', 'document_has_no_text', `There is no text to extract from. ${reason}`);
}

/** An edit may leave errors elsewhere as they were, but neither keep one in its own place nor bring new ones. */
function requireValid(path: string, errors: ValidationError[], before: ValidationError[]): void {
  const known = new Set(before.map((error) => `${error.path}\n${error.message}`));
  const caused = errors.filter(
    (error) => isAtOrBelow(error.path, path) || !known.has(`${error.path}\n${error.message}`),
  );
  if (caused.length === 0) return;
  const told = caused.slice(0, 10).map((error) => `${error.path || 'the result'} ${error.message}`);
  throw new DomainError('invalid', 'invalid_value', `The schema refuses the value: ${told.join('; ')}.`, caused);
}

function reasonOf(error: unknown, signal: AbortSignal | undefined): { code: string; message: string } {
  if (signal?.aborted) return { code: 'extraction_stopped', message: 'The extraction was stopped. Run it again.' };
  if (error instanceof DomainError) return { code: error.code, message: error.message };
  return { code: 'extraction_failed', message: 'The extraction failed on our side. Run it again.' };
}

function versionConflict(current: number): DomainError {
  return new DomainError(
    'conflict',
    'version_conflict',
    `The result has changed since and is at version ${current} now. Read it again and repeat the change with that base_version.`,
    { current_version: current },
  );
}

function found(extraction: Extraction | undefined): Extraction {
  if (extraction) return extraction;
  throw new DomainError('not_found', 'extraction_not_found', 'There is no result of this prompt on this document.');
}
