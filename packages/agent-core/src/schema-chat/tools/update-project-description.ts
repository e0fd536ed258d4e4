import { updateProjectDescriptionArguments } from '@docwright/contract';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { SchemaChatServices } from '../services.ts';

export const updateProjectDescription = defineTool({
  name: 'update_project_description',
  description:
    'Replaces the description of the project: what the documents are and what is taken from them. Waits for the person’s approval.',
  effect: 'read_write',
  parameters: updateProjectDescriptionArguments,
  summarize: ({ description }) => `Describe the project as “${description}”`,
  execute: async ({ services: { project } }: ToolContext<SchemaChatServices>, { description }) => {
    project.description = description;
    return { description };
  },
});
