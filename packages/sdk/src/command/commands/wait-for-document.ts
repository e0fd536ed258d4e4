import type { Document } from '@docwright/contract';
import { DocwrightError } from '../../client/docwright-error.ts';
import { sleep } from '../../client/sleep.ts';
import type { Docwright } from '../../create-docwright.ts';

const pollMs = 1_000;
/** A proposal that was requested with the upload is queued shortly after the text is read. */
const maxPollsUntilQueued = 10;

/**
 * Waits until the text of a document is read, and until its proposal is finished or waits for a decision.
 *
 * @throws DocwrightError if the text cannot be read or the proposal fails
 */
export async function waitForDocument(
  client: Docwright,
  documentId: string,
  signal: AbortSignal,
  onState: (state: string) => void,
  { expectsProposal = false }: { expectsProposal?: boolean } = {},
): Promise<Document> {
  onState('reading its text');
  let document = await client.documents.waitForText(documentId, { signal });
  for (let polls = 0; ; polls += 1) {
    const isExpected = expectsProposal && document.auto_create === undefined && polls < maxPollsUntilQueued;
    if (document.auto_create?.waiting === true) break;
    if (document.auto_create?.status !== 'running' && !isExpected) break;
    onState('waiting for the proposal');
    await sleep(pollMs, signal);
    document = await client.documents.get(documentId, { signal });
  }
  const { auto_create } = document;
  if (auto_create?.status === 'failed') {
    throw new DocwrightError(auto_create.error ?? { code: 'auto_create_failed', message: 'The proposal failed.' });
  }
  return document;
}
