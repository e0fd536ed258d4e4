import { artifactName, tagColor, type Tag } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { applyChange, changeLabel, differencePreview, hasChangesBeside, nothingToChange } from '../shared/changes.ts';
import { idParameter } from '../shared/parameters.ts';
import { tagState } from '../shared/object-states.ts';
import { tagReference } from '../shared/references.ts';

export const updateTag = defineTool({
  name: 'update_tag',
  description: 'Changes the name, color or description of a tag. Omitted fields keep their values.',
  effect: 'write',
  isFurther: true,
  target: 'tag_id',
  argumentRoles: { name: 'content', color: 'content', description: 'content' },
  parameters: z
    .object({
      tag_id: idParameter('The tag’s id.'),
      name: artifactName.optional().describe('The new name.'),
      color: tagColor.optional().describe('The new color, as #rrggbb.'),
      description: z.string().max(2000).optional().describe('The new description.'),
    })
    .refine(hasChangesBeside('tag_id'), nothingToChange),
  summarize: (args) => `Change the tag’s ${changeLabel(args, 'tag_id')}`,
  preview: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'tags'>>, { tag_id, ...change }) => {
    const current = await services.tags.get(tag_id);
    return differencePreview(`Tag “${current.name}”`, readable(current), readable(applyChange(current, change)));
  },
  baseline: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'tags'>>, { tag_id }) => [
    tagState(await services.tags.get(tag_id)),
  ],
  execute: async ({ services, origin }: ToolContext<Pick<DocumentAgentServices, 'tags'>>, { tag_id, ...change }) =>
    tagReference(await services.tags.update(tag_id, change, origin)),
});

function readable({ name, color, description }: Pick<Tag, 'name' | 'color' | 'description'>): string {
  return `Name: ${name}\nColour: ${color}\nDescription: ${description}`;
}
