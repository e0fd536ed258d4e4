import type { Document } from '@docwright/contract';
import { unreadReason } from '../documents/index.ts';
import type { UnsettledRun } from './claim-repository.ts';
import type { DocumentRunRepository } from './document-run-repository.ts';
import type { DocumentRun, HeadlessInput, HeadlessListener, HeadlessQueue, QueueAnswer } from './headless-queue.ts';

interface HeadlessQueueDependencies {
  runs: DocumentRunRepository;
  documentOf: (organizationId: string, documentId: string) => Promise<Document | undefined>;
  setRunning: (organizationId: string, documentId: string, runId: string) => Promise<void>;
  /** Stores the run's outcome on its document. */
  settle: (run: UnsettledRun) => Promise<void>;
  /** Withdraws the run's pending calls; false if they were just decided. */
  withdrawCalls: (run: DocumentRun) => Promise<boolean>;
  /** Wakes the workers. */
  wake: () => Promise<void>;
}

/** Inputs stored concurrently. */
const concurrentInserts = 20;

export function createHeadlessQueue({
  runs,
  documentOf,
  setRunning,
  settle,
  withdrawCalls,
  wake,
}: HeadlessQueueDependencies): HeadlessQueue & { publish: HeadlessListener } {
  const listeners = new Set<HeadlessListener>();

  async function queueOne(input: HeadlessInput): Promise<QueueAnswer> {
    const { kind, organizationId, documentId } = input;
    const document = await documentOf(organizationId, documentId);
    if (!document) return refused('document_not_found', 'The document does not exist.');
    const reason = kind === 'auto_create' ? proposalObstacle(document) : undefined;
    if (reason) return reason;
    const run = await runs.insert(input);
    if (!run) return runningRefusal;
    if (kind === 'auto_create') await setRunning(organizationId, documentId, run.id);
    publish(run);
    return { id: run.id };
  }

  function publish(run: DocumentRun): void {
    for (const listener of listeners) listener(run);
  }

  return {
    publish,
    async queue(inputs) {
      const answers: QueueAnswer[] = [];
      for (let at = 0; at < inputs.length; at += concurrentInserts) {
        answers.push(...(await Promise.all(inputs.slice(at, at + concurrentInserts).map(queueOne))));
      }
      if (answers.some((answer) => 'id' in answer)) await wake();
      return answers;
    },
    async cancel(organizationId, runId) {
      const { ended, asked, waiting } = await runs.cancel(organizationId, runId);
      for (const run of ended) {
        await settle({ ...run, proposal: null });
        publish(run);
      }
      let withdrawn = 0;
      for (const run of waiting) if (await withdrawCalls(run)) withdrawn += 1;
      await wake();
      return ended.length + asked + withdrawn;
    },
    get: (organizationId, id) => runs.get(organizationId, id),
    listOfRun: (organizationId, runId, page) => runs.list(organizationId, runId, page),
    countsOfRun: (organizationId, runId) => runs.counts(organizationId, runId),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function refused(code: string, message: string): QueueAnswer {
  return { refused: { code, message } };
}

const runningRefusal = refused(
  'auto_create_running',
  'A proposal for this document is being made. Wait until it is ready or has failed.',
);

/** The reason why a proposal for the document is refused. Undefined if it is not. */
function proposalObstacle(document: Document): QueueAnswer | undefined {
  const { state, state_error, auto_create } = document;
  const unread = unreadReason(document);
  if (unread) return refused(unread.code, unread.message);
  if (state === 'ocr_failed') {
    const reason = state_error?.message ?? 'Its text could not be read.';
    return refused('document_has_no_text', `The document has no text for a proposal. ${reason}`);
  }
  if (auto_create?.status === 'running') return runningRefusal;
  if (auto_create?.status === 'proposed') {
    return refused('proposal_pending', 'A proposal for this document is pending. Accept or reject it first.');
  }
  return undefined;
}
