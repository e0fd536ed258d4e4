import { DomainError, type Document, type FailureCategory } from '@docwright/contract';
import type { Actor } from '../identity/index.ts';
import { checkPipeline } from './check-pipeline.ts';
import { readingStates } from '../documents/index.ts';
import type { Chunk } from '../plugins/index.ts';
import { processDocument, StageError, type Processing, type ProcessingStage } from './process-document.ts';

interface DryRunDependencies {
  documentOf: (organizationId: string, id: string) => Promise<Document | undefined>;
  /** Must store nothing and call no model. */
  processingFor: (actor: Actor, documentId: string) => Processing;
}

/** The outcome for one document. */
interface DryRunDocument {
  document_id: string;
  document_name: string;
  parser?: string;
  pages: number;
  chunks: Chunk[];
  /** The reason of a failure. */
  failure?: { stage: ProcessingStage; category: string; message: string };
}

interface DryRun {
  tested: number;
  succeeded: number;
  failed: number;
  categories: FailureCategory[];
  /** In milliseconds: the sum over all documents, and the slowest. */
  timings: Partial<Record<ProcessingStage, { total: number; slowest: number }>>;
  documents: DryRunDocument[];
}

/**
 * Runs documents through a pipeline up to their chunks, and stores nothing: no model is called, fields come from
 * earlier extractions. Throws errors of the pipeline itself, or the signal's reason.
 */
export type DryRunService = (
  pipeline: unknown,
  documentIds: readonly string[],
  signal: AbortSignal,
  /** Called with the number of finished documents. */
  onProgress?: (done: number) => void,
) => Promise<DryRun>;

const maxDocumentsInDryRun = 50;
const maxExamples = 3;

export function createDryRunService({
  documentOf,
  processingFor,
}: DryRunDependencies): (actor: Actor) => DryRunService {
  return (actor) => async (given, documentIds, signal, onProgress) => {
    const pipeline = checkPipeline(given);
    if (documentIds.length > maxDocumentsInDryRun) {
      const message = `A dry run takes at most ${maxDocumentsInDryRun} documents. Choose a sample.`;
      throw new DomainError('invalid', 'too_many_documents', message);
    }
    const timings: DryRun['timings'] = {};
    const documents: DryRunDocument[] = [];
    for (const id of new Set(documentIds)) {
      signal.throwIfAborted();
      const document = await documentOf(actor.organizationId, id);
      if (document === undefined)
        throw new DomainError('invalid', 'unknown_reference', `The document ${id} does not exist.`);
      const named = { document_id: id, document_name: document.document_name };
      try {
        requireRead(document);
        const processed = await processDocument(pipeline, document, processingFor(actor, id), signal);
        for (const [stage, milliseconds] of Object.entries(processed.timings) as [ProcessingStage, number][]) {
          const { total, slowest } = timings[stage] ?? { total: 0, slowest: 0 };
          timings[stage] = { total: total + milliseconds, slowest: Math.max(slowest, milliseconds) };
        }
        documents.push({ ...named, parser: processed.parser, pages: processed.pages, chunks: processed.chunks });
      } catch (error) {
        if (!(error instanceof StageError)) throw error;
        const { stage, category, message } = error;
        documents.push({ ...named, pages: 0, chunks: [], failure: { stage, category, message } });
      }
      onProgress?.(documents.length);
    }
    const failed = documents.filter(({ failure }) => failure !== undefined).length;
    const tested = documents.length;
    return { tested, succeeded: tested - failed, failed, categories: categoriesOf(documents), timings, documents };
  };
}

function requireRead({ state, state_error }: Document): void {
  if (readingStates.includes(state)) {
    const message = 'The text of this document is still being read. Try again in a moment.';
    throw new StageError('parse', new DomainError('not_ready', 'not_read_yet', message));
  }
  if (state !== 'ocr_failed' || !state_error) return;
  throw new StageError('parse', new DomainError('unprocessable', state_error.code, state_error.message));
}

function categoriesOf(documents: readonly DryRunDocument[]): FailureCategory[] {
  const failed = documents.flatMap(({ document_id, failure }) => (failure ? [{ document_id, ...failure }] : []));
  return [...Map.groupBy(failed, ({ category }) => category)]
    .map(([category, found]) => ({
      category,
      count: found.length,
      examples: found.slice(0, maxExamples).map(({ document_id, message }) => ({ document_id, message })),
    }))
    .toSorted((a, b) => b.count - a.count);
}
