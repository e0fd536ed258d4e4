import { artifactName, DomainError, promptContent, type Prompt, type Schema } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import {
  applyChange,
  changedTags,
  changeLabel,
  differencePreview,
  hasChangesBeside,
  isShortened,
  nothingToChange,
} from '../shared/changes.ts';
import { idParameter, readingParameters, tagIdsParameter } from '../shared/parameters.ts';
import { promptReference } from '../shared/references.ts';
import { promptState, schemaState } from '../shared/object-states.ts';
import { tagNames, tagLabels } from '../shared/tag-labels.ts';

type Services = Pick<DocumentAgentServices, 'prompts' | 'schemas' | 'tags' | 'evaluations'>;

export const updatePrompt = defineTool({
  name: 'update_prompt',
  description:
    'Saves a new version of a prompt. Omitted fields keep their values. add_tag_ids and remove_tag_ids keep all other tags; tag_ids replaces the whole list, and a person is asked if a tag would go. schema_id links the newest version of that schema. To change a few words, use edit_prompt instead.',
  effect: 'write',
  isFurther: true,
  target: 'prompt_id',
  argumentRoles: {
    name: 'content',
    content: 'content',
    schema_id: 'reference',
    tag_ids: 'reference',
    add_tag_ids: 'reference',
    remove_tag_ids: 'reference',
    model: 'setting',
    evidence: 'setting',
    second_read: 'setting',
    machine_map: 'setting',
  },
  parameters: z
    .object({
      prompt_id: idParameter('The stable id (prompt_id, not prompt_revid).'),
      name: artifactName.optional().describe('The new name.'),
      content: promptContent.optional().describe('The complete new instruction.'),
      schema_id: idParameter('The schema to link (schema_id, not schema_revid).').optional(),
      tag_ids: tagIdsParameter('The complete list of the prompt’s tags.').optional(),
      add_tag_ids: tagIdsParameter('Tags to add.').optional(),
      remove_tag_ids: tagIdsParameter('Tags to remove.').optional(),
      model: z.string().trim().min(1).max(200).optional().describe('A model from list_llm_models.'),
      ...readingParameters,
    })
    .refine(hasChangesBeside('prompt_id'), nothingToChange),
  summarize: (args) => `Change the prompt’s ${changeLabel(args, 'prompt_id')}`,
  guard: {
    argument: 'tag_ids',
    reason: async ({ services }: ToolContext<Services>, { prompt_id, tag_ids }) => {
      if (tag_ids === undefined) return undefined;
      const current = await services.prompts.getCurrent(prompt_id);
      return isShortened(current.tag_ids, tag_ids) ? 'list_shortened' : undefined;
    },
  },
  preview: async ({ services, origin }: ToolContext<Services>, { prompt_id, ...change }) => {
    const current = await services.prompts.getCurrent(prompt_id);
    const linked = change.schema_id === undefined ? undefined : await services.schemas.getCurrent(change.schema_id);
    const former = current.schema_revid === undefined ? undefined : await services.schemas.get(current.schema_revid);
    const tag_ids = changedTags(current.tag_ids, change);
    const names = await tagNames(services.tags, [...current.tag_ids, ...tag_ids]);
    const evaluation = await services.evaluations.ofProposal('update_prompt', { prompt_id, ...change }, origin);
    const difference = differencePreview(
      `Prompt “${current.name}”, version ${current.prompt_version}`,
      readable(current, former, names),
      readable(applyChange<Readable>(current, { ...change, tag_ids }), linked ?? former, names),
    );
    return { ...difference, ...(evaluation && { evaluation }) };
  },
  baseline: async ({ services }: ToolContext<Services>, { prompt_id, schema_id }) => [
    promptState(await services.prompts.getCurrent(prompt_id)),
    ...(schema_id === undefined ? [] : [schemaState(await services.schemas.getCurrent(schema_id))]),
  ],
  execute: async ({ services, workingState, origin }: ToolContext<Services>, { prompt_id, ...change }) => {
    const prompt = await services.prompts.update(prompt_id, change, origin);
    workingState.update({ prompt_revid: prompt.prompt_revid });
    return linkedReference(prompt);
  },
});

export const editPrompt = defineTool({
  name: 'edit_prompt',
  description:
    'Replaces one passage of a prompt’s text and saves it as a new version. `find` must occur exactly once in the text.',
  effect: 'write',
  target: 'prompt_id',
  argumentRoles: { find: 'content', replace: 'content' },
  parameters: z.object({
    prompt_id: idParameter('The stable id (prompt_id, not prompt_revid).'),
    find: z.string().min(1).max(10_000).describe('The passage to replace, exactly as in the text.'),
    replace: z.string().max(100_000).describe('The new passage. An empty string removes the old one.'),
  }),
  summarize: ({ find }) => `Change “${find.length > 60 ? `${find.slice(0, 60)}…` : find}” in the prompt`,
  check: async ({ services }: ToolContext<Services>, args) => {
    withEditedText(await services.prompts.getCurrent(args.prompt_id), args);
  },
  preview: async ({ services, origin }: ToolContext<Services>, args) => {
    const current = await services.prompts.getCurrent(args.prompt_id);
    const title = `Prompt “${current.name}”, version ${current.prompt_version}`;
    const evaluation = await services.evaluations.ofProposal('edit_prompt', args, origin);
    const difference = differencePreview(title, current.content, withEditedText(current, args));
    return { ...difference, ...(evaluation && { evaluation }) };
  },
  baseline: async ({ services }: ToolContext<Services>, { prompt_id }) => [
    promptState(await services.prompts.getCurrent(prompt_id)),
  ],
  execute: async ({ services, workingState, origin }: ToolContext<Services>, { prompt_id, ...piece }) => {
    const content = withEditedText(await services.prompts.getCurrent(prompt_id), piece);
    const prompt = await services.prompts.update(prompt_id, { content }, origin);
    workingState.update({ prompt_revid: prompt.prompt_revid });
    return linkedReference(prompt);
  },
});

/**
 * Replaces a piece of a prompt's text. Throws a DomainError of kind `invalid` (`text_does_not_fit`) if the text does not
 * contain the piece exactly once.
 *
 * @example
 * import { withEditedText } from '@docwright/agent-core';
 *
 * withEditedText({ content: 'Dates as YYYY.' }, { find: 'YYYY', replace: 'YYYY-MM-DD' }); // 'Dates as YYYY-MM-DD.'
 */
export function withEditedText(
  { content }: Pick<Prompt, 'content'>,
  { find, replace }: { find: string; replace: string },
): string {
  const [before, after, ...more] = content.split(find);
  if (before !== undefined && after !== undefined && more.length === 0) return `${before}${replace}${after}`;
  const why =
    after === undefined
      ? 'is not in the text of the prompt; get_prompt reads it'
      : 'stands there more than once; take more of the text around it';
  throw new DomainError('invalid', 'text_does_not_fit', `The text to find ${why}. Nothing was changed.`);
}

/** A prompt with its linked schema version. */
function linkedReference(prompt: Prompt) {
  const { schema_id, schema_revid, schema_version } = prompt;
  return { ...promptReference(prompt), ...(schema_id !== undefined && { schema_id, schema_revid, schema_version }) };
}

type Readable = Omit<Prompt, 'evidence' | 'second_read'> & {
  evidence?: boolean | undefined;
  second_read?: boolean | undefined;
};

function readable(prompt: Readable, schema: Schema | undefined, names: ReadonlyMap<string, string>): string {
  const lines = [
    `Model: ${prompt.model ?? 'default'}`,
    `Schema: ${schema === undefined ? 'none' : `${schema.name}, version ${schema.schema_version}`}`,
    ...(prompt.evidence === true ? ['Names the words of each value'] : []),
    ...(prompt.second_read === true ? ['Reads twice, at twice the cost'] : []),
    ...(prompt.machine_map ?? []).map(({ field, from }) => `Compares ${field} with ${from}`),
    `Tags: ${tagLabels(prompt.tag_ids, names)}`,
  ];
  return `${lines.join('\n')}\n\n${prompt.content}`;
}
