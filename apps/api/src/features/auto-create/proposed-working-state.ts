import { extractionForState } from '@docwright/agent-core';
import type { Document, WorkingState } from '@docwright/contract';
import type { ExtractionService } from '../extractions/index.ts';
import type { Actor } from '../identity/index.ts';
import { emptyWorkingState } from '../threads/index.ts';

/** The working state of a new thread: the pending proposal of the document, if there is one. */
export type StartingState = (actor: Actor, document: Document) => Promise<WorkingState>;

export function createStartingState(
  extractionsFor: (actor: Actor) => Pick<ExtractionService, 'latest'>,
): StartingState {
  return async (actor, { id, auto_create: proposal }) => {
    if (proposal?.status !== 'proposed' || proposal.prompt_revid === undefined) return emptyWorkingState;
    const extraction = await extractionsFor(actor).latest(id, proposal.prompt_revid);
    return {
      schema_revid: proposal.schema_revid ?? null,
      prompt_revid: proposal.prompt_revid,
      extraction: extraction ? extractionForState(extraction) : null,
    };
  };
}
