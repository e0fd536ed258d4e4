import { DomainError, type Prompt } from '@docwright/contract';
import type { PromptService } from '../prompts/index.ts';

/** The requested revision of a prompt, or the default for the document. Throws `no_prompt`, `unknown_reference`. */
export async function choosePrompt(
  prompts: Pick<PromptService, 'get' | 'defaultFor'>,
  document_id: string,
  prompt_revid: string | undefined,
): Promise<Prompt> {
  if (prompt_revid === undefined) {
    const prompt = await prompts.defaultFor(document_id);
    if (prompt) return prompt;
    throw new DomainError(
      'invalid',
      'no_prompt',
      'No prompt applies to this document. Send a prompt_revid, or give a prompt and the document a common tag.',
    );
  }
  return await prompts.get(prompt_revid).catch((error: unknown) => {
    if (!(error instanceof DomainError && error.kind === 'not_found')) throw error;
    throw new DomainError(
      'invalid',
      'unknown_reference',
      'There is no such prompt revision. Use a prompt_revid from the list of prompts.',
    );
  });
}
