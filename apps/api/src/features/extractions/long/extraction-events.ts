import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, type ExtractionEvent } from '@docwright/contract';
import type { ExtractionRuns } from './extraction-runs.ts';

/** How often the record of the run is polled, which shows the progress of any process. */
const pollMs = 400;
/** How long before its start an extraction can be followed. */
const waitForStartMilliseconds = 3_000;

type Followed = Pick<ExtractionRuns, 'result' | 'progress' | 'pieces'>;

/**
 * Yields the progress of an extraction until its end or until `signal` aborts. For one that has ended, yields only `end`.
 * Throws `extraction_not_found`.
 */
export async function* extractionEvents(
  service: Followed,
  document_id: string,
  prompt_revid: string,
  signal: AbortSignal,
): AsyncGenerator<ExtractionEvent> {
  const known = new Set<string>();
  let sent = '';
  let waited = 0;
  while (!signal.aborted) {
    const progress = await service.progress(document_id, prompt_revid);
    const isDue = progress !== undefined && (progress.state !== 'running' || progress.is_running || waited > 0);
    if (!isDue && waited < waitForStartMilliseconds) {
      waited += pollMs;
    } else if (!progress) {
      yield await endOf(service, document_id, prompt_revid);
      return;
    } else {
      const { pieces_done, pieces_total, state, is_running, issues, is_complete, error } = progress;
      if (state !== 'running') {
        yield { type: 'end', state, pieces_done, pieces_total, is_complete, issues, ...(error && { error }) };
        return;
      }
      if (!is_running) {
        yield {
          type: 'end',
          state: 'failed',
          pieces_done,
          pieces_total,
          is_complete: false,
          issues,
          error: interrupted,
        };
        return;
      }
      const pieces = pieces_total > 1 ? await service.pieces(document_id, prompt_revid, known) : [];
      for (const { id } of pieces) known.add(id);
      const written = `${pieces_done} ${pieces_total} ${known.size}`;
      if (written !== sent) {
        const read = pieces.map(({ from, to, result }) => ({ from, to, result }));
        yield { type: 'progress', pieces_done, pieces_total, pieces: read };
      }
      sent = written;
    }
    await sleep(pollMs);
  }
}

const interrupted = {
  code: 'extraction_interrupted',
  message: 'The server stopped while the extraction ran. Run it again: finished pieces are not charged twice.',
};

/** The end event of a result whose run is no longer stored. */
async function endOf(service: Followed, document_id: string, prompt_revid: string): Promise<ExtractionEvent> {
  const { is_complete, issues } = await service.result(document_id, prompt_revid);
  return { type: 'end', state: 'completed', pieces_done: 1, pieces_total: 1, is_complete, issues };
}

/** Throws `extraction_not_found` before the stream is opened. */
export async function requireFollowable(service: Followed, document_id: string, prompt_revid: string): Promise<void> {
  try {
    await service.result(document_id, prompt_revid);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'extraction_not_found') throw error;
    for (let waited = 0; waited <= waitForStartMilliseconds; waited += pollMs) {
      if ((await service.progress(document_id, prompt_revid)) !== undefined) return;
      await sleep(pollMs);
    }
    throw error;
  }
}
