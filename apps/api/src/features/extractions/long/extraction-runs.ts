import {
  DomainError,
  type Document,
  type ExtractedPiece,
  type Extraction,
  type ExtractionEstimate,
  type ExtractionProgress,
} from '@docwright/contract';
import { requireWriter, type Actor } from '../../identity/index.ts';
import type { ProgressRepository, StoredProgress } from './progress-repository.ts';
import { estimateOf, type Survey } from './survey-document.ts';

/** The progress of a run, and whether a process still works on it. */
type FollowedProgress = StoredProgress & { is_running: boolean };

/** The running extractions that a user can follow and stop in one organization. */
export type ExtractionRuns = ReturnType<ReturnType<typeof createExtractionRuns>>;

/** The plan of an extraction: its text and its requests. */
export interface PlannedExtraction {
  prompt_revid: string;
  survey: Survey;
  /** Characters of the prompt and its schema. */
  requestCharacters: number;
  /** How often the document is read. */
  reads: number;
}

export function createExtractionRuns({
  progressOf,
  getDocument,
  getResult,
  plan,
}: {
  progressOf: (organizationId: string) => ProgressRepository;
  getDocument: (actor: Actor, document_id: string) => Promise<Document>;
  getResult: (actor: Actor, document_id: string, prompt_revid: string) => Promise<Extraction>;
  plan: (actor: Actor, document_id: string, prompt_revid: string | undefined) => Promise<PlannedExtraction>;
}) {
  return (actor: Actor) => {
    const progress = progressOf(actor.organizationId);
    return {
      /** Estimates a run. Without a prompt, uses the one that a run would choose. */
      async estimate(document_id: string, prompt_revid?: string): Promise<ExtractionEstimate> {
        const { survey, requestCharacters, reads, ...planned } = await plan(actor, document_id, prompt_revid);
        return { ...planned, ...estimateOf(survey, requestCharacters, reads) };
      },
      /** The progress of the last run of a prompt's revision. Undefined if none is stored. */
      async progress(document_id: string, prompt_revid: string): Promise<FollowedProgress | undefined> {
        const document = await getDocument(actor, document_id);
        const found = await progress.get({ document_id, prompt_revid });
        return found && { ...found, is_running: found.state === 'running' && isAlive(found, document) };
      },
      /** The finished pieces, except those with known ids. */
      async pieces(
        document_id: string,
        prompt_revid: string,
        known: ReadonlySet<string>,
      ): Promise<(ExtractedPiece & { id: string })[]> {
        await getDocument(actor, document_id);
        return await progress.piecesExcept({ document_id, prompt_revid }, known);
      },
      /** The stored result. Throws `extraction_not_found`. */
      result: (document_id: string, prompt_revid: string): Promise<Extraction> =>
        getResult(actor, document_id, prompt_revid),
      /** Stops a run without keeping any of its pieces. Throws `extraction_not_running`. */
      async stop(document_id: string, prompt_revid: string): Promise<ExtractionProgress> {
        requireWriter(actor);
        const document = await getDocument(actor, document_id);
        const place = { document_id, prompt_revid };
        const found = await progress.get(place);
        if (!isAlive(found, document) || !(await progress.requestStop(place))) {
          throw new DomainError(
            'conflict',
            'extraction_not_running',
            'No extraction of this prompt runs on the document.',
          );
        }
        const { pieces_done = 0, pieces_total = 1 } = found ?? {};
        return { state: 'stopped', pieces_done, pieces_total };
      },
    };
  };
}

/**
 * Whether a process works on the run or will resume it. A dead process leaves a run marked as running; the document's
 * state is right then.
 */
function isAlive(progress: StoredProgress | undefined, { state }: Document): boolean {
  return progress?.is_resumable === true || state === 'llm_processing';
}
