import { documentName, metadata, type Document } from '@docwright/contract';
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
import { documentReference } from '../shared/references.ts';
import { idParameter, tagIdsParameter } from '../shared/parameters.ts';
import { documentState } from '../shared/object-states.ts';
import { tagNames, tagLabels } from '../shared/tag-labels.ts';

type Services = Pick<DocumentAgentServices, 'document' | 'documents' | 'tags'>;

export const updateDocument = defineTool({
  name: 'update_document',
  description:
    'Changes the name, tags or metadata of a document. Without document_id, changes the document of this conversation. add_tag_ids, remove_tag_ids, set_metadata and remove_metadata keep everything that they do not name; tag_ids and metadata replace the whole list or object, and a person is asked if something of it would go. Omitted fields keep their values.',
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
    set_metadata: 'content',
    remove_metadata: 'content',
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
      set_metadata: metadata.optional().describe('Metadata to add or replace, by key.'),
      remove_metadata: z.array(z.string().max(1000)).max(100).optional().describe('Keys of metadata to remove.'),
    })
    .refine(hasChangesBeside('document_id'), nothingToChange),
  implied: ({ document }: Services) => ({ document_id: document.id }),
  summarize: (args) =>
    `Change ${args.document_id === undefined ? 'this' : 'another'} document’s ${changeLabel(args, 'document_id')}`,
  guard: {
    // A rule has one condition: none allows two whole lists at once.
    argument: (args) => (['tag_ids', 'metadata'] as const).filter((list) => args[list] !== undefined).join(' and '),
    reason: async ({ services }: ToolContext<Services>, { document_id, ...whole }) => {
      if (whole.tag_ids === undefined && whole.metadata === undefined) return undefined;
      const { tag_ids, metadata } = await services.documents.get(document_id ?? services.document.id);
      const keys = whole.metadata && Object.keys(whole.metadata);
      const isCut = isShortened(tag_ids, whole.tag_ids) || isShortened(Object.keys(metadata), keys);
      return isCut ? 'list_shortened' : undefined;
    },
  },
  preview: async ({ services }: ToolContext<Services>, { document_id, ...change }) => {
    const { document_name, set_metadata = {}, remove_metadata = [] } = change;
    const current = await services.documents.get(document_id ?? services.document.id);
    const tag_ids = changedTags(current.tag_ids, change);
    const names = await tagNames(services.tags, [...current.tag_ids, ...tag_ids]);
    const all = Object.entries({ ...(change.metadata ?? current.metadata), ...set_metadata });
    const kept = Object.fromEntries(all.filter(([key]) => !remove_metadata.includes(key)));
    const next = applyChange(current, { document_name, tag_ids, metadata: kept });
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
