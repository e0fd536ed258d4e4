import type { Document, PatchDocumentBody, SplitAnswer } from '@docwright/contract';
import type { AgentDocuments } from '../document-agent/context/services.ts';
import { changedTags } from '../document-agent/tools/shared/changes.ts';
import type { CallOrigin } from '../tool/tool.ts';
import { defined } from './in-memory-arrays.ts';

/** Changing and splitting documents in memory: `proposeSplit` proposes one part, and `split` adds the parts to the store. */
export function inMemorySplitting(
  store: { documents: Document[] },
  documentOf: (id: string) => Document,
  once: <Result>(origin: CallOrigin, write: () => Result) => Promise<Result>,
  nextId: () => string,
): Pick<AgentDocuments, 'update' | 'proposeSplit' | 'split'> {
  return {
    update: (id, body, origin) => once(origin, () => Object.assign(documentOf(id), merged(documentOf(id), body))),
    async proposeSplit(id) {
      const { document_name, page_count } = documentOf(id);
      return {
        parts: [
          {
            name: document_name,
            pages: [[1, page_count ?? 1]],
            reason: 'The file begins.',
            probability: 1,
            inner_probability: 0,
          },
        ],
      };
    },
    split: (id, parts, origin) =>
      once(origin, (): SplitAnswer => {
        const made = parts.map(({ name, pages, tag_ids = [] }) => ({
          ...documentOf(id),
          id: nextId(),
          document_name: name,
          tag_ids,
          split_from: { document_id: id, pages },
        }));
        store.documents.push(...made);
        return { documents: made, pages_in_several: [], pages_in_none: [] };
      }),
  };
}

/** A document's change with the tags that it adds and removes applied. */
function merged(
  document: Document,
  { add_tag_ids, remove_tag_ids, set_metadata = {}, remove_metadata = [], ...body }: PatchDocumentBody,
) {
  const tag_ids = changedTags(body.tag_ids ?? document.tag_ids, { add_tag_ids, remove_tag_ids });
  const all = Object.entries({ ...(body.metadata ?? document.metadata), ...set_metadata });
  const metadata = Object.fromEntries(all.filter(([key]) => !remove_metadata.includes(key)));
  return defined({ ...body, tag_ids, metadata });
}
