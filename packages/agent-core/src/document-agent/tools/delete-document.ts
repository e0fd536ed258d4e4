import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { DocumentAgentServices } from '../services.ts';
import { idParameter } from './list-parameters.ts';

type Services = Pick<DocumentAgentServices, 'document' | 'documents' | 'extractions'>;

export const deleteDocument = defineTool({
  name: 'delete_document',
  description:
    'Deletes a document with its file, text and extractions; without document_id, this document. Only when the person asked for it in so many words.',
  effect: 'read_write',
  parameters: z.object({ document_id: idParameter('Another document. Leave out for this one.').optional() }),
  summarize: ({ document_id }) => `Delete ${document_id === undefined ? 'this document' : 'another document'}`,
  preview: async ({ services }: ToolContext<Services>, { document_id = services.document.id }) => {
    const { document_name: name } = await services.documents.get(document_id);
    const extraction = await services.extractions.latest(document_id);
    const dependents = extraction ? [{ kind: 'extraction', id: extraction.prompt_revid, name }] : [];
    return { kind: 'delete', name, dependents };
  },
  execute: async (
    { services, workingState, callId }: ToolContext<Services>,
    { document_id = services.document.id },
  ) => {
    await services.documents.delete(document_id, { call_id: callId });
    if (document_id === services.document.id) workingState.update({ extraction: null });
    return { document_id, deleted: true };
  },
});
