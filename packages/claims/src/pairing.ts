import type { Evidence, EvidenceBook } from './evidence.ts';
import { fold } from './fold.ts';
import type { FoundName } from './names.ts';
import { textsOf } from './values.ts';

interface Placed {
  start: number;
  end: number;
}

/** A number of a sentence with the cited ids that hold it. */
export interface HeldFact extends Placed {
  text: string;
  holders: readonly Evidence[];
  /** A count of the cited documents, with these documents. */
  counted?: ReadonlySet<string> | undefined;
}

/** Whether what is cited speaks of the named. */
export function isAbout(evidence: Evidence, name: FoundName, book: EvidenceBook): boolean {
  if (meetsText(evidence, name)) return true;
  return [...book.documentsOf(evidence)].some((id) => name.documents.has(id));
}

/** Whether the value, its passage or the query behind it holds the name itself. */
function meetsText(evidence: Evidence, { forms }: FoundName): boolean {
  const holds = (text: string) => forms.some((form) => text.includes(form));
  // `supplier~contoso` asks for Contoso GmbH.
  const asksFor = (text: string) => text.length > 2 && forms.some((form) => form.includes(text));
  return (
    textsOf(evidence).map(fold).some(holds) ||
    (evidence.conditions ?? []).some(({ op, value }) => {
      const text = fold(String(value));
      return (op === '=' || op === '~') && (holds(text) || (op === '~' && asksFor(text)));
    })
  );
}

/** Whether a value belongs to the named: one document to one of them, a total to all of its documents. */
function belongsTo(evidence: Evidence, names: readonly FoundName[], book: EvidenceBook): boolean {
  if (names.length === 0) return true;
  if (names.some((name) => meetsText(evidence, name))) return true;
  const documents = book.documentsOf(evidence);
  if (evidence.kind === 'calculation') return names.every((name) => isAbout(evidence, name, book));
  return areOf(documents, names);
}

const areOf = (documents: ReadonlySet<string>, names: readonly FoundName[]): boolean =>
  documents.size > 0 && [...documents].every((id) => names.some((name) => name.documents.has(id)));

const clauseEnd = /[,;|]|(?<!\p{L})(?:and|und|et|y|e|en|och|og|while|whereas|während|tandis que|mientras)(?!\p{L})/giu;

/** The clause of each place in a text, counted. */
function clauseOf(text: string, from: number, to: number, { start }: Placed): number {
  let clause = 0;
  for (const match of text.slice(from, to).matchAll(clauseEnd)) if (from + match.index < start) clause++;
  return clause;
}

/** The clause that contains a number. */
export function clauseAround(text: string, { from, to }: { from: number; to: number }, { start, end }: Placed): string {
  const edges = [...text.slice(from, to).matchAll(clauseEnd)].map(({ index, 0: found }) => ({
    first: from + index,
    next: from + index + found.length,
  }));
  const before = edges.findLast(({ next }) => next <= start)?.next ?? from;
  const after = edges.find(({ first }) => first >= end)?.first ?? to;
  return text.slice(before, after);
}

/**
 * The first number of a segment that belongs to another document than the one named beside it. Names and numbers of one
 * clause belong together; several in one list belong together in their order.
 *
 * @param names Those of the segment, and those of the whole sentence.
 */
export function wronglyPaired(
  text: string,
  segment: { from: number; to: number },
  { own: names, all }: { own: readonly FoundName[]; all: readonly FoundName[] },
  facts: readonly HeldFact[],
  book: EvidenceBook,
): HeldFact | undefined {
  if (names.length === 0) return undefined;
  const clause = (place: Placed) => clauseOf(text, segment.from, segment.to, place);
  const values = facts.filter(({ counted }) => counted === undefined);
  const ordered = new Set(names.map(({ text: name }) => fold(name))).size === values.length && values.length > 1;
  const fits = (fact: HeldFact, among: readonly FoundName[]) =>
    fact.holders.some((evidence) => belongsTo(evidence, among, book)) ||
    (fact.counted !== undefined && areOf(fact.counted, among));
  return facts.find((fact) => {
    // Documents that are counted are those of all that are named, in its part of the sentence or in all of it.
    if (fact.counted !== undefined) return !fits(fact, names) && !fits(fact, all);
    const at = values.indexOf(fact);
    const near = names.filter((name) => clause(name) === clause(fact));
    const inOrder = ordered ? names.slice(at, at + 1) : [];
    if (inOrder.length > 0 && fits(fact, inOrder)) return false;
    if (near.length > 0) return !fits(fact, near);
    if (inOrder.length > 0) return !fits(fact, inOrder);
    return !fits(fact, names);
  });
}
