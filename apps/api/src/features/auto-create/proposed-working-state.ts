import { extractionForState } from '@docwright/agent-core';
import { DomainError, type Prompt, type WorkingState } from '@docwright/contract';
import type { DocumentService } from '../documents/index.ts';
import type { ExtractionService } from '../extractions/index.ts';
import type { Actor } from '../identity/index.ts';
import type { PromptService } from '../prompts/index.ts';
import { emptyWorkingState } from '../threads/index.ts';

/** The working state of a new thread: the document's pending proposal, else its verified or newest result. */
export type StartingState = (actor: Actor, documentId: string) => Promise<WorkingState>;

interface StartingStateDependencies {
  documentsFor: (actor: Actor) => Pick<DocumentService, 'get'>;
  extractionsFor: (actor: Actor) => Pick<ExtractionService, 'latest' | 'list'>;
  promptsFor: (actor: Actor) => Pick<PromptService, 'getCurrent'>;
}

export function createStartingState({
  documentsFor,
  extractionsFor,
  promptsFor,
}: StartingStateDependencies): StartingState {
  return async (actor, id) => {
    const extractions = extractionsFor(actor);
    const [{ auto_create: proposal }, { extractions: newest }] = await Promise.all([
      documentsFor(actor).get(id),
      extractions.list(id, { skip: 0, limit: maxSearched }),
    ]);
    if (proposal?.status === 'proposed' && proposal.prompt_revid !== undefined) {
      const proposed = await extractions.latest(id, proposal.prompt_revid);
      // A refinement makes new revisions, and the proposal names those of its run.
      const refined = proposed && (await currentPrompt(promptsFor(actor), proposed.prompt_id));
      const { prompt_revid, schema_revid } = refined ?? proposal;
      const extraction = (refined && (await extractions.latest(id, refined.prompt_revid))) ?? proposed;
      return {
        schema_revid: schema_revid ?? null,
        prompt_revid: prompt_revid ?? null,
        extraction: extraction ? extractionForState(extraction) : null,
      };
    }
    const known = newest.find(({ is_verified }) => is_verified) ?? newest[0];
    if (known === undefined) return emptyWorkingState;
    const current = await currentPrompt(promptsFor(actor), known.prompt_id);
    const isCurrent = current?.prompt_revid === known.prompt_revid;
    return {
      schema_revid: isCurrent ? (known.schema_revid ?? null) : null,
      prompt_revid: isCurrent ? known.prompt_revid : null,
      extraction: extractionForState(known),
    };
  };
}

/** The newest results, among which a verified one is looked for. */
const maxSearched = 20;

/** The current revision of a prompt; undefined if it was deleted. */
async function currentPrompt(
  prompts: Pick<PromptService, 'getCurrent'>,
  promptId: string,
): Promise<Prompt | undefined> {
  try {
    return await prompts.getCurrent(promptId);
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return undefined;
    throw error;
  }
}
