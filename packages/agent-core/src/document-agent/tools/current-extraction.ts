import { DomainError, type Extraction } from '@docwright/contract';
import type { ToolContext } from '../../tool/tool.ts';
import { z } from 'zod';
import type { DocumentAgentServices } from '../services.ts';

const keptReference = z.object({ document_id: z.string(), prompt_revid: z.string(), version: z.number() });

/** What the working state says about the extraction the agent last saw, if it saw one of this document. */
export function lastSeenExtraction(
  context: ToolContext<Pick<DocumentAgentServices, 'document'>>,
): z.infer<typeof keptReference> | undefined {
  const kept = keptReference.safeParse(context.workingState.get().extraction);
  return kept.success && kept.data.document_id === context.services.document.id ? kept.data : undefined;
}

/** The extraction a call means: of the prompt it names, else the one last worked with, else the document's newest. */
export async function currentExtraction(
  context: ToolContext<Pick<DocumentAgentServices, 'document' | 'extractions'>>,
  prompt_revid?: string,
): Promise<Extraction> {
  const { document, extractions } = context.services;
  const wanted = prompt_revid ?? lastSeenExtraction(context)?.prompt_revid;
  const found = await extractions.latest(document.id, wanted);
  if (found) return found;
  throw new DomainError(
    'not_found',
    'extraction_not_found',
    prompt_revid === undefined
      ? 'This document has no extraction yet. run_extraction makes one.'
      : 'This document has no extraction of that prompt revision. run_extraction with it makes one.',
  );
}
