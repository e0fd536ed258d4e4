import { documentName, metadata, type Document } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { applyChange, changeLabel, differencePreview, hasChangesBeside, nothingToChange } from '../shared/changes.ts';
import { documentReference } from '../shared/references.ts';
import { idParameter, tagIdsParameter } from '../shared/parameters.ts';
import { documentState } from '../shared/object-states.ts';
import { tagNames, tagLabels } from '../shared/tag-labels.ts';

type Services = Pick<DocumentAgentServices, 'document' | 'documents' | 'tags'>;

export const updateDocument = defineTool({
  name: 'update_document',
  description:
    'Changes the name, tags or metadata of a document. Without document_id, changes the document of this conversation. add_tag_ids and remove_tag_ids keep all other tags; tag_ids and metadata replace the whole list or object. Omitted fields keep their values.',
  effect: 'write',
  isFurther: true,
  documentContent: ['document_name', 'metadata'],
  target: 'document_id',
  argumentRoles: {
    document_name: 'content',
    tag_ids: 'reference',
    add_tag_ids: 'reference',
    remove_tag_ids: 'reference',
    metadata: 'content',
  },
  worksOnDocument: true,
  parameters: z
    .object({
      document_id: idParameter('The document. Default: the document of this conversation.').optional(),
      document_name: documentName.optional().describe('The new name.'),
      tag_ids: tagIdsParameter('The complete list of the document’s tags.').optional(),
      add_tag_ids: tagIdsParameter('Tags to add.').optional(),
      remove_tag_ids: tagIdsParameter('Tags to remove.').optional(),
      metadata: metadata.optional().describe('The complete metadata of the document.'),
    })
    .refine(hasChangesBeside('document_id'), nothingToChange),
  implied: ({ document }: Services) => ({ document_id: document.id }),
  summarize: (args) =>
    `Change ${args.document_id === undefined ? 'this' : 'another'} document’s ${changeLabel(args, 'document_id')}`,
  preview: async ({ services }: ToolContext<Services>, { document_id, add_tag_ids, remove_tag_ids, ...change }) => {
    const current = await services.documents.get(document_id ?? services.document.id);
    const all = new Set([...(change.tag_ids ?? current.tag_ids), ...(add_tag_ids ?? [])]);
    const tag_ids = [...all].filter((id) => !remove_tag_ids?.includes(id));
    const names = await tagNames(services.tags, [...current.tag_ids, ...tag_ids]);
    const next = applyChange(current, { ...change, tag_ids });
    return differencePreview(`Document “${current.document_name}”`, readable(current, names), readable(next, names));
  },
  baseline: async ({ services }: ToolContext<Services>, { document_id = services.document.id }) => [
    documentState(await services.documents.get(document_id)),
  ],
  execute: async ({ services, origin }: ToolContext<Services>, { document_id, ...change }) =>
    documentReference(await services.documents.update(document_id ?? services.document.id, change, origin)),
});

function readable(
  { document_name, tag_ids, metadata }: Pick<Document, 'document_name' | 'tag_ids' | 'metadata'>,
  names: ReadonlyMap<string, string>,
): string {
  return `Name: ${document_name}\nTags: ${tagLabels(tag_ids, names)}\nMetadata: ${JSON.stringify(metadata, null, 2)}`;
}
