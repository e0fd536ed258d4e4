import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, type DocumentEvent, type DocumentListEvent } from '@docwright/contract';
import type { DocumentQuery } from './records/document-repository.ts';
import type { DocumentService } from './document-service.ts';

/** How often a followed document is read. Polling its record shows the changes of every process. */
const pollMs = 400;

interface FollowedDocument extends Pick<DocumentService, 'progress'> {
  /** Counts the changes to its results. */
  extractionChanges: (id: string) => Promise<number>;
}

/**
 * Yields the state of a document now and after every change of state, progress, results, name, tags or metadata, until
 * `signal` aborts or the document is deleted. Throws `document_not_found` if it does not exist at first.
 */
export async function* documentEvents(
  service: FollowedDocument,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<DocumentEvent> {
  let event: DocumentEvent | undefined = await readState(service, id);
  let sent = '';
  while (event !== undefined && !signal.aborted) {
    const written = JSON.stringify(event);
    if (written !== sent) yield event;
    sent = written;
    await sleep(pollMs);
    event = await readStateIfFound(service, id);
  }
}

async function readState(service: FollowedDocument, id: string): Promise<DocumentEvent> {
  const [{ document, pages_done, changes, review_changes, waiting_calls }, extraction_changes] = await Promise.all([
    service.progress(id),
    service.extractionChanges(id),
  ]);
  const { state, state_error, page_count, ocr, auto_create: proposal, duplicate_of } = document;
  return {
    type: 'state',
    document_id: id,
    state,
    ...(state_error === undefined ? {} : { state_error }),
    page_count,
    pages_done,
    ...(duplicate_of === undefined ? {} : { duplicate_of }),
    ...(ocr ? { ocr } : {}),
    ...(proposal === undefined ? {} : { auto_create: { status: proposal.status } }),
    extraction_changes,
    review_changes,
    document_changes: changes,
    ...(waiting_calls > 0 && { waiting_calls }),
  };
}

async function readStateIfFound(service: FollowedDocument, id: string): Promise<DocumentEvent | undefined> {
  try {
    return await readState(service, id);
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return undefined;
    throw error;
  }
}

const listPollMs = 1_000;

/**
 * Yields an event at once, and one whenever the answer to this query changes, until `signal` aborts. The server polls,
 * so that clients send no requests while nothing changes.
 */
export async function* documentListEvents(
  service: Pick<DocumentService, 'list'>,
  query: DocumentQuery,
  signal: AbortSignal,
): AsyncGenerator<DocumentListEvent> {
  let sent = '';
  while (!signal.aborted) {
    const answer = await service.list(query);
    const digest = createHash('sha256').update(JSON.stringify(answer)).digest('base64');
    if (digest !== sent) yield { type: 'changed', total_count: answer.total_count };
    sent = digest;
    await sleep(listPollMs, undefined, { signal }).catch(() => undefined);
  }
}
