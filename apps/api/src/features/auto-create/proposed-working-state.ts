import { extractionForState } from '@docwright/agent-core';
import { DomainError, type Document, type Extraction, type WorkingState } from '@docwright/contract';
import type { ExtractionService } from '../extractions/index.ts';
import type { Actor } from '../identity/index.ts';
import type { PromptService } from '../prompts/index.ts';
import { emptyWorkingState } from '../threads/index.ts';

/** The working state of a new thread: the document's pending proposal, else its verified or newest result. */
export type StartingState = (actor: Actor, document: Document) => Promise<WorkingState>;

interface StartingStateDependencies {
  extractionsFor: (actor: Actor) => Pick<ExtractionService, 'latest' | 'list'>;
  promptsFor: (actor: Actor) => Pick<PromptService, 'getCurrent'>;
}

export function createStartingState({ extractionsFor, promptsFor }: StartingStateDependencies): StartingState {
  return async (actor, { id, auto_create: proposal }) => {
    const extractions = extractionsFor(actor);
    if (proposal?.status === 'proposed' && proposal.prompt_revid !== undefined) {
      const extraction = await extractions.latest(id, proposal.prompt_revid);
      return {
        schema_revid: proposal.schema_revid ?? null,
        prompt_revid: proposal.prompt_revid,
        extraction: extraction ? extractionForState(extraction) : null,
      };
    }
    const { extractions: newest } = await extractions.list(id, { skip: 0, limit: maxSearched });
    const known = newest.find(({ is_verified }) => is_verified) ?? newest[0];
    if (known === undefined) return emptyWorkingState;
    const isCurrent = await belongsToCurrentPrompt(promptsFor(actor), known);
    return {
      schema_revid: isCurrent ? (known.schema_revid ?? null) : null,
      prompt_revid: isCurrent ? known.prompt_revid : null,
      extraction: extractionForState(known),
    };
  };
}

/** The newest results, among which a verified one is looked for. */
const maxSearched = 20;

/** Whether the result belongs to the current revision of a prompt that still exists. */
async function belongsToCurrentPrompt(
  prompts: Pick<PromptService, 'getCurrent'>,
  { prompt_id, prompt_revid }: Extraction,
): Promise<boolean> {
  try {
    return (await prompts.getCurrent(prompt_id)).prompt_revid === prompt_revid;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return false;
    throw error;
  }
}
