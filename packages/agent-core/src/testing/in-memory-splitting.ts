import type { Document, SplitAnswer } from '@docwright/contract';
import type { DocumentService } from '../document-agent/context/services.ts';
import type { WriteOrigin } from '../tool/tool.ts';

/** Splitting in memory: `proposeSplit` proposes one part, and `split` adds the parts to the store. */
export function inMemorySplitting(
  store: { documents: Document[] },
  documentOf: (id: string) => Document,
  once: <Result>(origin: WriteOrigin, write: () => Result) => Promise<Result>,
  nextId: () => string,
): Pick<DocumentService, 'proposeSplit' | 'split'> {
  return {
    async proposeSplit(id) {
      const { document_name, page_count } = documentOf(id);
      return {
        parts: [{ name: document_name, pages: [[1, page_count ?? 1]], reason: 'The file begins.', probability: 1 }],
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
