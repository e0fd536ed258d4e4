import { createHash } from 'node:crypto';
import { addUsage, isRecognised } from '@docwright/agent-core';
import { DomainError, type Document, type Extraction, type Prompt, type Schema } from '@docwright/contract';
import type { groundResult, Page } from '@docwright/documents';
import type { DocumentService } from '../documents/index.ts';
import { startHeartbeat } from '../../platform/leases/heartbeat.ts';
import type { Actor } from '../identity/index.ts';
import type { LlmFor, ModelService } from '../llm/index.ts';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import { type DataValidator, type SchemaService, parseChecks } from '../schemas/index.ts';
import { failureReason, noteFailure, noteResult, savedResult, stoppedMessage } from './end-extraction.ts';
import type { ExamplesFor } from './example-service.ts';
import { differingValues, embeddedIn, factsOfAnswer, reorderedFields } from '../value-risk/index.ts';
import { canHaveRows, extractDocument } from './extract-document.ts';
import type { ExtractionRepository } from './records/extraction-repository.ts';
import { pagesReadInPart } from './long/near-unread.ts';
import type { RequestedExtraction } from './long/requested-extraction.ts';
import type { ExtractionPlace, ProgressRepository } from './long/progress-repository.ts';
import type { DocumentReading } from './long/read-document.ts';
import { requireRequests, requireStorable, requireText, surveyDocument, type Survey } from './long/survey-document.ts';
import type { PromptService } from '../prompts/index.ts';
import type { ReplaceCheck } from './rules/replace-rules.ts';
import { formatValidator } from './rules/result-rules.ts';
import { createViewPages, markGrounding } from './asking/page-views.ts';
import { authorOf } from './version-author.ts';

/** A third of the lease of a model run, and how often to poll for a stop that was requested through another process. */
const [renewalIntervalMs, stopPollMs] = [20_000, 1_000];

/** The dependencies of a run, for one user in one organization. */
export interface RunDependencies {
  documents: Pick<
    DocumentService,
    | 'eachPage'
    | 'eachText'
    | 'pagesBetween'
    | 'textsBetween'
    | 'image'
    | 'startModelRun'
    | 'renewModelRun'
    | 'finishModelRun'
  >;
  progress: ProgressRepository;
  maxRequests: number;
  extractions: Pick<ExtractionRepository, 'saveRun' | 'applied'>;
  schemas: Pick<SchemaService, 'get'>;
  models: (organizationId: string) => Pick<ModelService, 'resolveModel' | 'acceptsImages'>;
  llmFor: LlmFor;
  validateData: DataValidator;
  examplesFor: ExamplesFor;
  ground: typeof groundResult;
}

interface Run {
  actor: Actor;
  document: Document;
  prompt: Prompt;
  origin: WriteOrigin | undefined;
  signal: AbortSignal | undefined;
  /** Throws if the current result must not be replaced. */
  check: ReplaceCheck;
  /** Present if a request started the run: if this process dies, a job resumes it from these data. */
  asked?: RequestedExtraction | undefined;
}

/** Extracts from a document with a prompt and stores the result. The document's state shows the progress. */
export async function runExtraction(dependencies: RunDependencies, run: Run): Promise<Extraction> {
  const { documents, progress, maxRequests } = dependencies;
  const { document, prompt, actor } = run;
  const models = dependencies.models(actor.organizationId);
  const model = await models.resolveModel(prompt.model);
  const canSee = await models.acceptsImages(model);
  const secondModel = prompt.second_read ? await models.resolveModel(prompt.second_model ?? prompt.model) : undefined;
  const llm = dependencies.llmFor(callerOf(run));
  await llm.requireAllowed?.(model);
  if (secondModel !== undefined) await llm.requireAllowed?.(secondModel);
  const { schema, survey } = await planExtraction(dependencies, document, prompt, canSee);
  requireRequests(survey, maxRequests);
  requireStorable(survey, schema?.response_format);
  const place = { document_id: document.id, prompt_revid: prompt.prompt_revid };
  const runId = await progress.start(place, survey.pieces.length, run.asked);
  const token = await documents.startModelRun(document.id, prompt);
  const renew = async () => {
    await progress.renew(place, runId);
    await documents.renewModelRun(document.id, token);
    return true;
  };
  const heartbeat = startHeartbeat(renew, renewalIntervalMs);
  const stopWatch = startHeartbeat(async () => !(await progress.isStopRequested(place, runId)), stopPollMs);
  const stopped = stopWatch.lost;
  const signal = run.signal ? AbortSignal.any([run.signal, stopped]) : stopped;
  const started = { document, prompt, token, place, runId };
  let saved: Extraction | undefined;
  try {
    saved = await savedResult(dependencies, run.origin, () =>
      extractAndSave(dependencies, { ...run, ...started, signal, survey, schema, model, canSee, secondModel }),
    );
    await noteResult(dependencies, started, saved);
    return saved;
  } catch (error) {
    // The result is stored. Its document may say otherwise until the database is back.
    if (saved !== undefined) throw error;
    if (isHandedOver(run, stopped)) {
      await progress.release(place, runId);
      throw error;
    }
    await noteFailure(dependencies, started, signal, error);
    const state = signal.aborted ? 'stopped' : 'failed';
    await progress.finish(place, runId, { state, error: failureReason(error, signal) });
    if (!stopped.aborted) throw error;
    // A stopped run keeps no pieces. Only a process that shuts down leaves finished pieces to the next one.
    await progress.removePieces(place);
    throw new DomainError('conflict', 'extraction_stopped', stoppedMessage);
  } finally {
    await heartbeat.stop();
    await stopWatch.stop();
  }
}

function callerOf({ actor: { organizationId, userId }, document, prompt }: Run) {
  return { organizationId, userId, documentId: document.id, promptId: prompt.prompt_id };
}

/** Whether the process shuts down and the next one resumes the run. */
function isHandedOver({ asked, signal }: Run, stopped: AbortSignal): boolean {
  return asked !== undefined && signal?.aborted === true && !stopped.aborted;
}

/** Reads the schema and surveys the document. Throws if the document has no text. */
export async function planExtraction(
  { documents, schemas }: { documents: Pick<DocumentService, 'eachPage'>; schemas: RunDependencies['schemas'] },
  document: Document,
  prompt: Prompt,
  canSee: boolean,
): Promise<{ schema: Schema | undefined; survey: Survey }> {
  const schema = prompt.schema_revid === undefined ? undefined : await schemas.get(prompt.schema_revid);
  const survey = await surveyDocument(documents.eachPage(document.id), canHaveRows(schema?.response_format));
  requireText(document, { hasText: survey.hasText, pageCount: survey.pages.length }, canSee);
  return { schema, survey };
}

async function extractAndSave(
  { llmFor, validateData, examplesFor, ground, documents, extractions, progress, maxRequests }: RunDependencies,
  run: Run & {
    survey: Survey;
    schema: Schema | undefined;
    model: string;
    canSee: boolean;
    secondModel: string | undefined;
    token: string;
    place: ExtractionPlace;
    runId: string;
  },
): Promise<Extraction> {
  const { actor, document, prompt, survey, schema, model, canSee, secondModel, token, origin } = run;
  const { signal, check, place, runId } = run;
  const responseFormat = schema?.response_format;
  const examples = await examplesFor({
    organizationId: actor.organizationId,
    promptId: prompt.prompt_id,
    documentId: document.id,
    pages: documents.eachText(document.id),
    count: prompt.examples?.count ?? 0,
    responseFormat,
  });
  let progressWrites = Promise.resolve();
  const setup = {
    llm: llmFor({ ...callerOf(run), threadId: origin?.thread_id, runId: origin?.run_id }),
    model,
    prompt: prompt.content,
    documentName: document.document_name,
    unread: document.unread,
    responseFormat,
    examples,
    evidence: prompt.evidence,
    view: canSee ? createViewPages((pageNumber) => documents.image(document.id, pageNumber)) : undefined,
    validate: formatValidator(validateData),
    signal,
  };
  const reading = {
    survey,
    ground: async ({ result, evidence, uncertain, seen, raw }, pages) =>
      await markGrounding(await ground(result, pages, evidence, raw), {
        ...(uncertain && { uncertain }),
        ...(seen && { seen }),
      }),
    pagesBetween: (from, to) => documents.pagesBetween(document.id, from, to),
    textsBetween: (from, to) => documents.textsBetween(document.id, from, to),
    maxRequests,
    ...(survey.pieces.length > 1 && { stored: storedPieces(progress, place, planOf(run)) }),
    onProgress: (done) => {
      // The extraction does not wait for these writes, but they are made in order.
      progressWrites = progressWrites.then(() => progress.note(place, runId, done)).catch(() => {});
    },
  } satisfies Parameters<typeof extractDocument>[1];
  const { secondValues, doubts, ...read } = await readTwice(setup, reading, secondModel);
  await progressWrites;
  signal?.throwIfAborted();
  // Throws if the document was deleted or this process stalled while the model worked: the result must not be stored.
  await documents.renewModelRun(document.id, token);
  const finished = {
    ...place,
    prompt_id: prompt.prompt_id,
    ...(schema && { schema_revid: schema.schema_revid }),
    ...read,
    facts: await factsOfAnswer(read, {
      pages: await readRecognisedPages(documents, document.id, survey),
      checks: schema ? parseChecks(schema.response_format, schema.checks) : [],
      issues: read.issues,
      text: (await documents.textsBetween(document.id, 1, maxLabelPages)).map(({ text }) => text).join('\n'),
      ...(schema && { schema: schema.response_format.json_schema.schema }),
      ...(secondValues && { secondValues }),
      doubts,
      hasUnread: pagesReadInPart(survey.pages, document.unread).length > 0,
      embedded: embeddedIn(document, prompt, read, responseFormat),
    }),
  };
  return await extractions.saveRun(finished, { author: authorOf(actor, origin), check }, origin);
}

/** Pages whose labels are compared with empty values, and pages whose words are read again. */
const [maxLabelPages, maxRecognisedPages] = [30, 100];

/** Reads the recognised pages with their words, whose confidence is a risk signal. */
async function readRecognisedPages(
  documents: Pick<DocumentService, 'pagesBetween'>,
  documentId: string,
  { pages }: Survey,
): Promise<Page[]> {
  const numbers = pages.filter(isRecognised).map(({ page_num }) => page_num);
  const found: Page[] = [];
  for (const number of numbers.slice(0, maxRecognisedPages)) {
    found.push(...(await documents.pagesBetween(documentId, number, number)));
  }
  return found;
}

/**
 * Extracts once, or twice if `secondModel` is given: the second time with the fields in another order, so that errors
 * caused by the order differ. The first answer is the result; `usage` is the sum of both.
 */
async function readTwice(
  setup: Parameters<typeof extractDocument>[0],
  reading: Parameters<typeof extractDocument>[1],
  secondModel: string | undefined,
) {
  if (secondModel === undefined) return { ...(await extractDocument(setup, reading)), secondValues: undefined };
  const { responseFormat } = setup;
  const { stored: _stored, onProgress: _onProgress, ...again } = reading;
  const second = {
    ...setup,
    model: secondModel,
    responseFormat: responseFormat && reorderedFields(responseFormat),
    // The second model might have no vision.
    view: secondModel === setup.model ? setup.view : undefined,
  };
  const [first, reread] = await Promise.all([extractDocument(setup, reading), extractDocument(second, again)]);
  const secondValues = await differingValues(first.result, reread.result, responseFormat?.json_schema.schema);
  return { ...first, usage: addUsage(first.usage, reread.usage), secondValues };
}

function storedPieces(progress: ProgressRepository, place: ExtractionPlace, plan: string): DocumentReading['stored'] {
  return {
    get: (piece) => progress.piece(place, plan, piece),
    save: (piece, answer) => progress.savePiece(place, plan, piece, answer),
  };
}

/** A key of stored pieces: pieces of another prompt, schema, model or text are not reused. */
function planOf({ prompt, model, survey }: { prompt: Prompt; model: string; survey: Survey }): string {
  const key = [prompt.prompt_revid, prompt.schema_revid, model, survey.textDigest];
  return createHash('sha256').update(JSON.stringify(key)).digest('hex');
}

/** The requested revision of a prompt, or the default for the document. Throws `no_prompt`, `unknown_reference`. */
export async function choosePrompt(
  prompts: Pick<PromptService, 'get' | 'defaultFor'>,
  document_id: string,
  prompt_revid: string | undefined,
): Promise<Prompt> {
  if (prompt_revid === undefined) {
    const prompt = await prompts.defaultFor(document_id);
    if (prompt) return prompt;
    const cure = 'Send a prompt_revid, or give a prompt and the document a common tag.';
    throw new DomainError('invalid', 'no_prompt', `No prompt applies to this document. ${cure}`);
  }
  return await prompts.get(prompt_revid).catch((error: unknown) => {
    if (!(error instanceof DomainError && error.kind === 'not_found')) throw error;
    throw new DomainError(
      'invalid',
      'unknown_reference',
      'There is no such prompt revision. Use a prompt_revid from the list of prompts.',
    );
  });
}
