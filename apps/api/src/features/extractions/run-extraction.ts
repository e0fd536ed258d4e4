import type { PageText } from '@docwright/agent-core';
import { DomainError, type Document, type Extraction, type Prompt } from '@docwright/contract';
import { canDraw, type groundResult, type Page } from '@docwright/documents';
import type { DocumentService } from '../documents/document-service.ts';
import { startHeartbeat } from '../../platform/leases/heartbeat.ts';
import type { Actor } from '../identity/actor.ts';
import type { LlmFor } from '../llm/llm-services.ts';
import type { ModelService } from '../llm/model-service.ts';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import type { DataValidator } from '../schemas/data-validator.ts';
import type { SchemaService } from '../schemas/schema-service.ts';
import type { ExamplesFor } from './example-service.ts';
import { extractWithModel } from './extract-with-model.ts';
import type { ExtractionRepository } from './extraction-repository.ts';
import { documentCharacters, mostDocumentCharacters, pagesSent } from './extraction-request.ts';
import type { ReplaceCheck } from './replace-rules.ts';
import { resultValidator } from './result-rules.ts';
import { createViewPages, markedGrounding } from './asking/page-views.ts';
import { authorOf } from './version-author.ts';

/** A third of the time after which a model run that is not renewed counts as interrupted. */
const renewEveryMs = 20_000;

/** What a run works with, for one person in one organization. */
export interface RunDependencies {
  documents: Pick<DocumentService, 'pages' | 'image' | 'beginModelRun' | 'renewModelRun' | 'endModelRun'>;
  extractions: Pick<ExtractionRepository, 'saveRun'>;
  schemas: Pick<SchemaService, 'get'>;
  models: (organizationId: string) => Pick<ModelService, 'resolveModel' | 'canSee'>;
  llmFor: LlmFor;
  validateData: DataValidator;
  examplesFor: ExamplesFor;
  ground: typeof groundResult;
  log: { warn(fields: object, message: string): void };
}

interface Run {
  actor: Actor;
  document: Document;
  prompt: Prompt;
  origin: WriteOrigin | undefined;
  signal: AbortSignal | undefined;
  /** Whether the result that stands there may go. */
  check: ReplaceCheck;
}

/** From a document and a prompt to the stored result; the document's state tells how far it is. */
export async function runExtraction(dependencies: RunDependencies, run: Run): Promise<Extraction> {
  const { documents, schemas, models, log } = dependencies;
  const { document, prompt } = run;
  const pages = await documents.pages(document.id);
  const characters = documentCharacters(pages);
  if (characters > mostDocumentCharacters) {
    const cut = { document_id: document.id, characters, sent: mostDocumentCharacters };
    log.warn(cut, 'the text of a document was cut for the model');
  }
  const schema = prompt.schema_revid === undefined ? undefined : await schemas.get(prompt.schema_revid);
  const model = await models(run.actor.organizationId).resolveModel(prompt.model);
  const canSee = await models(run.actor.organizationId).canSee(model);
  requireText(document, pages, canSee);
  const token = await documents.beginModelRun(document.id);
  const renew = async () => {
    await documents.renewModelRun(document.id, token);
    return true;
  };
  const heartbeat = startHeartbeat(renew, renewEveryMs);
  try {
    const saved = await extractAndSave(dependencies, { ...run, pages, schema, model, canSee, token });
    await documents.endModelRun(document.id, token, 'llm_completed');
    return saved;
  } catch (error) {
    await noteFailure(documents, run, token, error);
    throw error;
  } finally {
    await heartbeat.stop();
  }
}

async function extractAndSave(
  { llmFor, models, validateData, examplesFor, ground, documents, extractions }: RunDependencies,
  run: Run & {
    pages: Page[];
    schema: Awaited<ReturnType<SchemaService['get']>> | undefined;
    model: string;
    canSee: boolean;
    token: string;
  },
): Promise<Extraction> {
  const { actor, document, prompt, pages, schema, model, canSee, token, origin, signal, check } = run;
  const { organizationId, userId } = actor;
  const examples = await examplesFor({
    organizationId,
    promptId: prompt.prompt_id,
    documentId: document.id,
    pages,
    count: prompt.examples?.count ?? 0,
    responseFormat: schema?.response_format,
  });
  const { uncertain, evidence, seen, ...extracted } = await extractWithModel({
    llm: llmFor({ organizationId, userId, threadId: origin?.thread_id, documentId: document.id }),
    model,
    task: {
      prompt: prompt.content,
      documentName: document.document_name,
      pages: pages.map(asRead),
      responseFormat: schema?.response_format,
      examples,
      evidence: prompt.evidence,
    },
    validate: resultValidator(validateData, schema),
    signal,
    view: canSee ? createViewPages((pageNumber) => documents.image(document.id, pageNumber)) : undefined,
  });
  signal?.throwIfAborted();
  // It may have been deleted while the model worked, and its result would be left behind; or this process stood still.
  await documents.renewModelRun(document.id, token);
  const finished = {
    document_id: document.id,
    prompt_revid: prompt.prompt_revid,
    prompt_id: prompt.prompt_id,
    ...(schema ? { schema_revid: schema.schema_revid } : {}),
    ...extracted,
    // What the model was not shown it cannot have read, and searching thousands of pages would hold up everybody.
    grounding: markedGrounding(ground(extracted.result, pagesSent(pages), evidence), {
      ...(uncertain && { uncertain }),
      ...(seen && (await models(organizationId).canSee(model)) && { seen }),
    }),
  };
  return await extractions.saveRun(finished, { author: authorOf(actor, origin), check }, origin);
}

/** Words have a confidence where they were recognised. */
export function asRead({ page_num, text, words }: Page): PageText {
  const known = words.flatMap(({ confidence }) => confidence ?? []);
  if (known.length === 0) return { page_num, text, read_by: 'text' };
  return { page_num, text, read_by: 'ocr', confidence: known.reduce((sum, each) => sum + each, 0) / known.length };
}

/** `document_not_read_yet` or `document_has_no_text`. */
export function requireText(document: Document, pages: Page[], canSee = false): void {
  if (document.state === 'uploaded' || document.state === 'ocr_processing') {
    throw new DomainError(
      'conflict',
      'document_not_read_yet',
      `The text of the document is still being read (state ${document.state}). Try again when it is ocr_completed.`,
    );
  }
  if (pages.some((page) => page.text.trim() !== '')) return;
  // A model that sees reads such pages from their images.
  if (canSee && pages.length > 0 && canDraw(document.mime_type)) return;
  const reason = document.state_error?.message ?? 'No text was found on its pages.';
  throw new DomainError('conflict', 'document_has_no_text', `There is no text to extract from. ${reason}`);
}

/** A run that was stopped, or whose result a person has reviewed meanwhile, leaves a document that has one as it was. */
async function noteFailure(
  documents: RunDependencies['documents'],
  { document, signal }: Run,
  token: string,
  error: unknown,
): Promise<void> {
  const isKept = error instanceof DomainError && (error.code === 'result_edited' || error.code === 'result_verified');
  if (isKept || (signal?.aborted && document.state === 'llm_completed')) {
    await documents.endModelRun(document.id, token, 'llm_completed');
    return;
  }
  await documents.endModelRun(document.id, token, 'llm_failed', reasonOf(error, signal));
}

function reasonOf(error: unknown, signal: AbortSignal | undefined): { code: string; message: string } {
  if (signal?.aborted) return { code: 'extraction_stopped', message: 'The extraction was stopped. Run it again.' };
  if (error instanceof DomainError) return { code: error.code, message: error.message };
  return { code: 'extraction_failed', message: 'The extraction failed on our side. Run it again.' };
}
