import { DomainError } from '@docwright/contract';
import type { Tool } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';

/** How to read the object that an argument names. A tag to remove may be gone already. */
const readers: Readonly<Record<string, (services: DocumentAgentServices, id: string) => Promise<unknown>>> = {
  schema_id: ({ schemas }, id) => schemas.getCurrent(id),
  prompt_id: ({ prompts }, id) => prompts.getCurrent(id),
  document_id: ({ documents }, id) => documents.get(id),
  tag_id: ({ tags }, id) => tags.get(id),
  tag_ids: ({ tags }, id) => tags.get(id),
  add_tag_ids: ({ tags }, id) => tags.get(id),
  model: async ({ models }, id) => {
    const offered = await models.list();
    if (offered.some((each) => each.id === id)) return;
    throw new DomainError(
      'invalid',
      'model_not_enabled',
      `The model "${id}" is not offered here. list_llm_models names those that are.`,
    );
  },
};

/**
 * A tool whose writes name objects that exist. An id (or a model) cannot come into being by an earlier call of the same answer,
 * so a call with an unknown one can only fail: the model gets the error, and no user is asked.
 */
export function withKnownReferences(tool: Tool<DocumentAgentServices>): Tool<DocumentAgentServices> {
  const named = Object.keys(tool.parameters.shape).filter((name) => readers[name] !== undefined);
  if (tool.effect === 'read' || named.length === 0) return tool;
  return {
    ...tool,
    check: async (context, args: Record<string, unknown>) => {
      for (const name of named) {
        const ids = new Set([args[name] ?? []].flat().map(String));
        for (const id of ids) await readers[name]!(context.services, id);
      }
      await tool.check?.(context, args);
    },
  };
}
