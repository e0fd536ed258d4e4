import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { deletePreview, everyPage } from '../shared/changes.ts';
import { idParameter } from '../shared/parameters.ts';
import { schemaState } from '../shared/object-states.ts';

export const deleteSchema = defineTool({
  name: 'delete_schema',
  description:
    'Deletes a schema from the organization. Fails while a current prompt uses it: change or delete those prompts first.',
  effect: 'delete',
  isFurther: true,
  target: 'schema_id',
  argumentRoles: {},
  parameters: z.object({ schema_id: idParameter('The stable id (schema_id, not schema_revid).') }),
  summarize: () => 'Delete a schema',
  preview: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'schemas' | 'prompts'>>, { schema_id }) => {
    const { name } = await services.schemas.getCurrent(schema_id);
    const prompts = await everyPage('prompts', (query) => services.prompts.list(query));
    const dependents = prompts
      .filter((prompt) => prompt.schema_id === schema_id)
      .map((prompt) => ({ kind: 'prompt', id: prompt.prompt_id, name: prompt.name }));
    return deletePreview(name, dependents);
  },
  baseline: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'schemas' | 'prompts'>>, { schema_id }) => [
    schemaState(await services.schemas.getCurrent(schema_id)),
  ],
  execute: async (
    { services, workingState, origin }: ToolContext<Pick<DocumentAgentServices, 'schemas' | 'prompts'>>,
    { schema_id },
  ) => {
    await services.schemas.delete(schema_id, origin);
    const { schema_revid } = workingState.get();
    if (schema_revid !== null && (await services.schemas.get(schema_revid)).schema_id === schema_id) {
      workingState.update({ schema_revid: null });
    }
    return { schema_id, deleted: true };
  },
});
