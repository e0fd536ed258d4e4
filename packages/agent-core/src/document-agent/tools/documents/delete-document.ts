import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { deletePreview } from '../shared/changes.ts';
import { idParameter } from '../shared/parameters.ts';
import { documentState, extractionState } from '../shared/object-states.ts';

const firstPage = { skip: 0, limit: 25 };

type Services = Pick<DocumentAgentServices, 'document' | 'documents' | 'extractions' | 'threads'>;

export const deleteDocument = defineTool({
  name: 'delete_document',
  description:
    'Deletes a document with its file, text and extractions. Without document_id, deletes the document of this conversation. Call it only if the person asked for exactly this.',
  effect: 'delete',
  isFurther: true,
  target: 'document_id',
  argumentRoles: {},
  worksOnDocument: true,
  parameters: z.object({
    document_id: idParameter('The document. Default: the document of this conversation.').optional(),
  }),
  implied: ({ document }: Services) => ({ document_id: document.id }),
  summarize: ({ document_id }) => `Delete ${document_id === undefined ? 'this document' : 'another document'}`,
  preview: async ({ services }: ToolContext<Services>, { document_id = services.document.id }) => {
    const { document_name: name } = await services.documents.get(document_id);
    const results = await services.extractions.list(document_id, firstPage);
    const threads = await services.threads.list(document_id, firstPage);
    return deletePreview(
      name,
      [
        ...results.extractions.map(({ prompt_revid }) => ({ kind: 'extraction', id: prompt_revid, name })),
        ...threads.threads.map(({ id, title }) => ({ kind: 'thread', id, name: title })),
      ],
      results.total_count + threads.total_count,
    );
  },
  baseline: async ({ services }: ToolContext<Services>, { document_id = services.document.id }) => {
    const document = await services.documents.get(document_id);
    const { extractions, total_count } = await services.extractions.list(document_id, firstPage);
    // The card names the results that go with the document. By their revisions, since the list has the last change first: of more
    // results than it has, one that changes stands before those that were listed.
    const results = extractions
      .map((extraction) =>
        extractionState({ id: document.id, name: document.document_name }, extraction.prompt_revid, extraction),
      )
      .toSorted((one, other) => (one.thing < other.thing ? -1 : 1));
    const all = {
      thing: `results:${document.id}`,
      name: `list of results of “${document.document_name}”`,
      state: { results: `${total_count}` },
    };
    return [documentState(document), all, ...results];
  },
  execute: async (
    { services, workingState, origin }: ToolContext<Services>,
    { document_id = services.document.id },
  ) => {
    const since = await services.documents.delete(document_id, origin);
    if (document_id === services.document.id) workingState.update({ extraction: null });
    return { document_id, deleted: true, ...since };
  },
});
