import { documentName, maxSplitParts } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { tagIdsParameter } from '../shared/parameters.ts';
import { documentState } from '../shared/object-states.ts';

type Services = Pick<DocumentAgentServices, 'document' | 'documents'>;
/** A list instead of a tuple: some endpoints refuse tuples in a schema. */
const range = z.array(z.number().int().min(1)).length(2);
type Range = [from: number, to: number];

/** Maximum number of parts in a preview. */
const shownParts = 50;

export const proposeSplit = defineTool({
  name: 'propose_split',
  description:
    'Finds where each document begins in a PDF that contains several, from letterheads, page numbers and titles. Returns the pages of each part, with a reason and a probability. Changes nothing. Pass the parts to split_document.',
  effect: 'read',
  isFurther: true,
  documentContent: ['name', 'reason'],
  worksOnDocument: true,
  parameters: z.object({}),
  summarize: () => 'Look for the documents in this file',
  execute: async ({ services: { document, documents } }: ToolContext<Services>) => documents.proposeSplit(document.id),
});

export const splitDocument = defineTool({
  name: 'split_document',
  description:
    'Creates documents from page ranges of this PDF and keeps the original. The new documents keep the text that was read. A page can belong to several parts or to none; the result lists such pages. Call propose_split first, unless the person names the pages.',
  effect: 'write',
  isFurther: true,
  target: 'new',
  argumentRoles: { parts: 'content', tag_ids: 'reference' },
  worksOnDocument: true,
  parameters: z.object({
    parts: z
      .array(
        z.strictObject({
          name: documentName.describe('The name of the new document.'),
          pages: z
            .array(range)
            .min(1)
            .max(100)
            .describe('Page ranges, first and last page included, for example [[1,2]].'),
        }),
      )
      .min(1)
      .max(maxSplitParts)
      .describe('The parts, in the order of the file.'),
    tag_ids: tagIdsParameter('Tags of each new document. Tags decide which prompts apply.').optional(),
  }),
  summarize: ({ parts }) =>
    parts.length === 1 ? `Make a document of ${pagesOf(parts[0]!)}` : `Split this document into ${parts.length}`,
  preview: async ({ services }: ToolContext<Services>, { parts }) => {
    const { document_name, page_count } = await services.documents.get(services.document.id);
    const lines = parts.slice(0, shownParts).map((part) => `${part.name}: ${pagesOf(part)}`);
    const more = parts.length > shownParts ? [`… and ${parts.length - shownParts} more`] : [];
    return {
      kind: 'difference' as const,
      title: document_name,
      before: `${document_name}: pages 1–${page_count ?? '?'}`,
      after: [`${document_name}: stays as it is`, ...lines, ...more].join('\n'),
    };
  },
  baseline: async ({ services }: ToolContext<Services>) => [
    documentState(await services.documents.get(services.document.id)),
  ],
  execute: async ({ services: { document, documents }, origin }: ToolContext<Services>, { parts, tag_ids }) => {
    const { documents: made, ...counted } = await documents.split(
      document.id,
      parts.map(({ name, pages }) => ({ name, pages: pages as Range[], ...(tag_ids && { tag_ids }) })),
      origin,
    );
    return {
      ...counted,
      documents: made.map(({ id, document_name, page_count }) => ({ document_id: id, document_name, page_count })),
    };
  },
});

function pagesOf({ pages }: { pages: number[][] }): string {
  const ranges = pages.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  const isOne = pages.length === 1 && pages[0]![0] === pages[0]![1];
  return `${isOne ? 'page' : 'pages'} ${ranges.join(', ')}`;
}
