import { schemaChange, withChanges, withEditedText } from '@docwright/agent-core';
import { evaluationCandidate, type EvaluationCandidate, type Prompt, type ResponseFormat } from '@docwright/contract';
import { z } from 'zod';
import type { PromptService } from '../prompts/index.ts';
import type { ChangeDependencies } from './candidate.ts';

/** A call of a tool that changes a prompt or a schema. */
export interface ChangingCall {
  tool: string;
  args: Readonly<Record<string, unknown>>;
}

/** A prompt that a call changes, with the change. */
export interface ChangedPrompt {
  prompt: Prompt;
  candidate: EvaluationCandidate;
}

/** How many prompts of one schema are measured. */
export const maxPrompts = 20;
const schemaChanges = z.array(schemaChange);

export const changesSchema = (tool: string): boolean => tool === 'update_schema' || tool === 'edit_schema';

/** Whether a call changes more prompts than are measured, so that a measurement would not cover all. */
export const isTooWide = (changes: readonly ChangedPrompt[]): boolean => changes.length > maxPrompts;

/** Finds the prompts that a call changes, with the changes. Empty if it changes nothing measurable. */
export function createCallChanges({
  prompts,
  schemas,
  promptIdsOf,
}: {
  prompts: Pick<PromptService, 'getCurrent'>;
  schemas: ChangeDependencies['schemas'];
  promptIdsOf: (schemaId: string, limit: number) => Promise<string[]>;
}): (call: ChangingCall) => Promise<ChangedPrompt[]> {
  return async ({ tool, args }) => {
    if (tool === 'update_prompt') {
      const prompt_id = String(args['prompt_id']);
      const given = evaluationCandidate.safeParse(args);
      if (!given.success) return [];
      const { content, schema_id, model, examples } = given.data;
      const candidate = definedFields({ content, schema_id, model, examples });
      return Object.keys(candidate).length === 0 ? [] : [{ prompt: await prompts.getCurrent(prompt_id), candidate }];
    }
    if (tool === 'edit_prompt') {
      const prompt = await prompts.getCurrent(String(args['prompt_id']));
      const piece = { find: String(args['find']), replace: String(args['replace']) };
      return [{ prompt, candidate: { content: withEditedText(prompt, piece) } }];
    }
    const { schema_id } = args;
    if (typeof schema_id !== 'string') return [];
    const response_format = await formatAfter(tool, schema_id, args);
    if (response_format === undefined) return [];
    // One more than can be measured, so that `isTooWide` notices.
    const linked = await promptIdsOf(schema_id, maxPrompts + 1);
    const current = await Promise.all(linked.map((id) => prompts.getCurrent(id)));
    return current.map((prompt) => ({ prompt, candidate: { response_format } }));
  };

  async function formatAfter(
    tool: string,
    schema_id: string,
    { response_format, changes }: ChangingCall['args'],
  ): Promise<ResponseFormat | undefined> {
    if (tool === 'update_schema') return response_format as ResponseFormat | undefined;
    const parsed = tool === 'edit_schema' ? schemaChanges.safeParse(changes) : undefined;
    if (!parsed?.success) return undefined;
    return withChanges((await schemas.getCurrent(schema_id)).response_format, parsed.data);
  }
}

const definedFields = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
