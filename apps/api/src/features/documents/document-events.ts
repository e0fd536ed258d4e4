import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, type DocumentEvent, type DocumentListEvent } from '@docwright/contract';
import type { DocumentQuery } from './document-repository.ts';
import type { DocumentService } from './document-service.ts';

/**
 * Between two looks at the document. Its record is the only thing that all processes share, so looking there shows what any
 * of them does.
 */
const pollMs = 400;

/** What is looked at. */
interface FollowedDocument extends Pick<DocumentService, 'progress'> {
  /** Counts the changes to its results. */
  extractionChanges: (id: string) => Promise<number>;
}

/**
 * The state of a document now and after every change of state, progress, results, name, tags or metadata, until `signal` aborts or the document is deleted.
 * Throws `document_not_found` where there is none to begin with.
 */
export async function* documentEvents(
  service: FollowedDocument,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<DocumentEvent> {
  let event: DocumentEvent | undefined = await look(service, id);
  let sent = '';
  while (event !== undefined && !signal.aborted) {
    const written = JSON.stringify(event);
    if (written !== sent) yield event;
    sent = written;
    await sleep(pollMs);
    event = await poll(service, id);
  }
}

async function look(service: FollowedDocument, id: string): Promise<DocumentEvent> {
  const [{ document, pages_done, changes }, extraction_changes] = await Promise.all([
    service.progress(id),
    service.extractionChanges(id),
  ]);
  const { state, state_error, page_count, ocr, auto_create: proposal } = document;
  const failure = state_error === undefined ? {} : { state_error };
  const about = proposal === undefined ? {} : { auto_create: { status: proposal.status } };
  return {
    type: 'state',
    document_id: id,
    state,
    ...failure,
    page_count,
    pages_done,
    ...(ocr ? { ocr } : {}),
    ...about,
    extraction_changes,
    document_changes: changes,
  };
}

async function poll(service: FollowedDocument, id: string): Promise<DocumentEvent | undefined> {
  try {
    return await look(service, id);
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return undefined;
    throw error;
  }
}

/** Milliseconds between two reads of a followed list. */
const listPollMs = 1_000;

/**
 * An event at once, and one whenever this page of the list would be answered differently, until `signal` aborts. The list is read on the
 * server, so that a client that follows it sends no requests while nothing happens.
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
