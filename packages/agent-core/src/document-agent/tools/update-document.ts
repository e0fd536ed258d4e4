import { documentName, metadata, type Document } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { DocumentAgentServices } from '../services.ts';
import { applyChange, changeInWords, changesBeside, nothingToChange } from './apply-change.ts';
import { documentReference } from './document-reference.ts';
import { idParameter, tagIdsParameter } from './list-parameters.ts';

type Services = Pick<DocumentAgentServices, 'document' | 'documents'>;

export const updateDocument = defineTool({
  name: 'update_document',
  description:
    'Changes a document’s name, tags or metadata; without document_id, of this document. tag_ids and metadata replace all that was there. What is left out stays.',
  effect: 'read_write',
  parameters: z
    .object({
      document_id: idParameter('Another document. Leave out for this one.').optional(),
      document_name: documentName.optional().describe('The new name.'),
      tag_ids: tagIdsParameter('All tags the document shall carry.').optional(),
      metadata: metadata.optional().describe('All metadata the document shall have.'),
    })
    .refine(changesBeside('document_id'), nothingToChange),
  summarize: (args) =>
    `Change ${args.document_id === undefined ? 'this' : 'another'} document’s ${changeInWords(args, 'document_id')}`,
  preview: async ({ services }: ToolContext<Services>, { document_id, ...change }) => {
    const present = await services.documents.get(document_id ?? services.document.id);
    return {
      kind: 'difference',
      title: `Document “${present.document_name}”`,
      before: readable(present),
      after: readable(applyChange(present, change)),
    };
  },
  execute: async ({ services, callId }: ToolContext<Services>, { document_id, ...change }) =>
    documentReference(
      await services.documents.update(document_id ?? services.document.id, change, { call_id: callId }),
    ),
});

function readable({
  document_name,
  tag_ids,
  metadata,
}: Pick<Document, 'document_name' | 'tag_ids' | 'metadata'>): string {
  const tags = tag_ids.length === 0 ? 'none' : tag_ids.join(', ');
  return `Name: ${document_name}\nTags: ${tags}\nMetadata: ${JSON.stringify(metadata, null, 2)}`;
}
