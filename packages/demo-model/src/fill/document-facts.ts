import type { DocumentText } from '../page/document-text.ts';
import { pageContext, type PageContext } from './page-context.ts';
import { type Parties, readParties } from './parties/parties.ts';
import { readTotals, type Totals } from './sums/totals.ts';

/** Facts that many fields need, read once for each document. */
export interface DocumentFacts {
  context: PageContext;
  totals: Totals;
  parties: Parties;
}

const known = new WeakMap<DocumentText, DocumentFacts>();

/** The facts of a document, read once for all schemas. */
export function readFacts(document: DocumentText): DocumentFacts {
  const before = known.get(document);
  if (before) return before;
  const context = pageContext(document);
  const facts = { context, totals: readTotals(context), parties: readParties(context) };
  known.set(document, facts);
  return facts;
}
