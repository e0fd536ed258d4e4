import type { DocumentLines } from '../page/document-text.ts';
import { type Parties, readParties } from './parties/parties.ts';
import { pageContext, type PageContext } from './reading/page-context.ts';
import { readTotals, type DocumentTotals } from './sums/totals.ts';

/** Facts about a document that many fields need. */
export interface DocumentFacts {
  context: PageContext;
  totals: DocumentTotals;
  parties: Parties;
}

const factsByDocument = new WeakMap<DocumentLines, DocumentFacts>();

/** Reads the facts of a document. They are cached for each document, because several schemas can need them. */
export function readFacts(document: DocumentLines): DocumentFacts {
  const cached = factsByDocument.get(document);
  if (cached) return cached;
  const context = pageContext(document);
  const facts = { context, totals: readTotals(context), parties: readParties(context) };
  factsByDocument.set(document, facts);
  return facts;
}
