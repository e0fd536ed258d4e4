import { DomainError, type Document, type Extraction, type Prompt } from '@docwright/contract';
import { isDatabaseUnavailable } from '../../platform/database/connection.ts';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import type { DocumentService } from '../documents/index.ts';
import type { ExtractionPlace, ProgressRepository } from './long/progress-repository.ts';
import type { ExtractionRepository } from './records/extraction-repository.ts';

interface EndDependencies {
  documents: Pick<DocumentService, 'finishModelRun'>;
  progress: Pick<ProgressRepository, 'finish' | 'removePieces'>;
  extractions: Pick<ExtractionRepository, 'applied'>;
}

interface StartedRun {
  document: Document;
  prompt: Prompt;
  /** The token of the document's model run. */
  token: string;
  place: ExtractionPlace;
  /** The run in the stored progress. */
  runId: string;
}

/**
 * The result that `save` stored, also if the database was lost before it answered: a stored result is not called failed,
 * and is not made again.
 */
export async function savedResult(
  { extractions }: EndDependencies,
  origin: WriteOrigin | undefined,
  save: () => Promise<Extraction>,
): Promise<Extraction> {
  try {
    return await save();
  } catch (error) {
    const stored = isDatabaseUnavailable(error) ? await extractions.applied(origin) : undefined;
    if (stored === undefined) throw error;
    return stored;
  }
}

/** Stores in the document's state and in the progress that the result is there; once more if the database is lost meanwhile. */
export async function noteResult(dependencies: EndDependencies, run: StartedRun, saved: Extraction): Promise<void> {
  const { documents, progress } = dependencies;
  const { document, prompt, token, place, runId } = run;
  const note = async () => {
    await documents.finishModelRun(document.id, token, 'llm_completed', undefined, prompt);
    const { issues, is_complete } = saved;
    await progress.finish(place, runId, { state: 'completed', issues, is_complete });
    await progress.removePieces(place);
  };
  await note().catch(async (error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error;
    await note();
  });
}

/** Stores the failure in the document's state, unless the run was stopped or refused and the document has a result. */
export async function noteFailure(
  { documents }: EndDependencies,
  { document, prompt, token }: StartedRun,
  signal: AbortSignal,
  error: unknown,
): Promise<void> {
  const isKept = error instanceof DomainError && (error.code === 'result_edited' || error.code === 'result_verified');
  if (isKept || (signal.aborted && document.state === 'llm_completed')) {
    await documents.finishModelRun(document.id, token, 'llm_completed', undefined, prompt);
    return;
  }
  await documents.finishModelRun(document.id, token, 'llm_failed', failureReason(error, signal), prompt);
}

export const stoppedMessage = 'The extraction was stopped. Run it again.';

/** The reason that users see. */
export function failureReason(error: unknown, signal: AbortSignal): { code: string; message: string } {
  if (signal.aborted) return { code: 'extraction_stopped', message: stoppedMessage };
  if (error instanceof DomainError) return { code: error.code, message: error.message };
  return { code: 'extraction_failed', message: 'The extraction failed on our side. Run it again.' };
}
