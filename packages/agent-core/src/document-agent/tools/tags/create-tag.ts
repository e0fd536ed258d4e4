import { artifactName, DomainError, tagColor } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { collisionPreview, itemsNamed } from '../shared/changes.ts';
import { tagReference } from '../shared/references.ts';

export const createTag = defineTool({
  name: 'create_tag',
  description:
    'Creates a tag. Names are unique in the organization: call list_tags first. A prompt applies to every document that has one of the prompt’s tags.',
  effect: 'write',
  isFurther: true,
  target: 'new',
  argumentRoles: { name: 'content', color: 'content', description: 'content' },
  parameters: z.object({
    name: artifactName.describe('The name, for example "invoice".'),
    color: tagColor.optional().describe('The color, as #rrggbb.'),
    description: z.string().max(2000).optional().describe('What the tag is for.'),
  }),
  summarize: ({ name }) => `Create the tag “${name}”`,
  // Names of tags are unique: the call can only fail, and the model needs the id rather than a person's answer.
  check: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'tags'>>, { name }) => {
    const [same] = await itemsNamed(name, 'tags', (query) => services.tags.list(query));
    if (same === undefined) return;
    throw new DomainError(
      'conflict',
      'tag_name_taken',
      `The tag “${same.name}” exists (tag_id ${same.tag_id}): use it, or choose another name.`,
    );
  },
  preview: ({ services }: ToolContext<Pick<DocumentAgentServices, 'tags'>>, { name }) =>
    collisionPreview(
      name,
      'tags',
      (query) => services.tags.list(query),
      (tag) => tag.tag_id,
    ),
  execute: async ({ services, origin }: ToolContext<Pick<DocumentAgentServices, 'tags'>>, args) =>
    tagReference(await services.tags.create(args, origin)),
});
