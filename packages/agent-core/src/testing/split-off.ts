import type { Document, SplitAnswer, SplitBody, SplitProposal } from '@docwright/contract';

/** A file that holds one document alone, as far as anybody can tell. */
export function wholeFile({ document_name, page_count }: Document): SplitProposal['parts'][number] {
  return { name: document_name, pages: [[1, page_count ?? 1]], reason: 'The file begins.', probability: 1 };
}

/** Adds the documents of the parts to the others. */
export function splitOff(
  documents: Document[],
  original: Document,
  parts: SplitBody['parts'],
  nextId: () => string,
): SplitAnswer {
  const made = parts.map(({ name, pages, tag_ids = [] }) => ({
    ...original,
    id: nextId(),
    document_name: name,
    tag_ids,
    split_from: { document_id: original.id, pages },
  }));
  documents.push(...made);
  return { documents: made, pages_in_several: [], pages_in_none: [] };
}
