import type { Document } from '@docwright/contract';
import { DocwrightError } from '../../client/docwright-error.ts';
import { sleep } from '../../client/sleep.ts';
import type { Docwright } from '../../create-docwright.ts';

const pollMs = 1_000;
/** A proposal requested on upload is queued shortly after the text is ready. */
const looksForItsBeginning = 10;

/**
 * Waits until a document's text is read and its proposal has finished, or waits for a decision. Fails if
 * either fails.
 */
export async function waitForDocument(
  client: Docwright,
  documentId: string,
  signal: AbortSignal,
  tell: (state: string) => void,
  { expectsProposal = false }: { expectsProposal?: boolean } = {},
): Promise<Document> {
  tell('its text is being read');
  let document = await client.documents.waitForText(documentId, { signal });
  for (let looks = 0; ; looks += 1) {
    const isToCome = expectsProposal && document.auto_create === undefined && looks < looksForItsBeginning;
    if (document.auto_create?.waiting === true) break;
    if (document.auto_create?.status !== 'running' && !isToCome) break;
    tell('the agent makes its proposal');
    await sleep(pollMs, signal);
    document = await client.documents.get(documentId, { signal });
  }
  const { auto_create } = document;
  if (auto_create?.status === 'failed') {
    throw new DocwrightError(auto_create.error ?? { code: 'auto_create_failed', message: 'The proposal failed.' });
  }
  return document;
}
