import type { MachineData } from '@docwright/contract';
import type { TextClaim } from './document-claim-repository.ts';
import type { PageFindings, PageRepository } from './page-repository.ts';

interface FindingsQueue {
  noteFindings(claim: TextClaim, findings: PageFindings): Promise<boolean>;
}

/** Stores with a document what was found on its pages, behind the data for machines that is on no page. */
export async function noteFindings(
  queue: FindingsQueue,
  claim: TextClaim,
  { onNoPage, pages }: { onNoPage: readonly MachineData[]; pages: Pick<PageRepository, 'findings'> },
): Promise<void> {
  const { machine_data: onPages = [], ...findings } = await pages.findings(claim.documentId);
  const machine_data = [...onNoPage, ...onPages];
  const all = { ...findings, ...(machine_data.length > 0 && { machine_data }) };
  if (Object.keys(all).length > 0) await queue.noteFindings(claim, all);
}
