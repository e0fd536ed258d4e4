import type { Citation } from '@docwright/contract';

/** A condition of a query, as the product ran it: `due_date < 2026-12-01`. */
export interface QueryCondition {
  path: string;
  op: '=' | '!=' | '<' | '<=' | '>' | '>=' | '~';
  value: string | number | boolean | null;
}

interface Shared {
  id: string;
  /** An ISO 4217 code, if the value is an amount. */
  currency?: string | undefined;
  /** The conditions of the query that the value comes from, and the key of its group. */
  conditions?: readonly QueryCondition[];
}

/** One value of one document. */
export interface CellEvidence extends Shared {
  kind: 'cell';
  document_id: string;
  path: string;
  value: unknown;
  page_num?: number | undefined;
  boxes?: Citation['boxes'];
  /** The words of the page from which it was taken. */
  quote?: string | undefined;
}

/** A value that the product computed from cells. */
export interface AggregateEvidence extends Shared {
  kind: 'aggregate';
  op: 'sum' | 'count' | 'min' | 'max' | 'avg' | 'distinct';
  path: string;
  value: unknown;
  /** The cells that it was computed from. */
  cells: readonly Pick<CellEvidence, 'document_id' | 'value'>[];
  /** Their number, and the documents that the value rests on, where they are known without reading the cells. */
  cell_count?: number;
  document_ids?: readonly string[];
  /** Number of documents without the value, and with a value at risk. */
  without_value?: number | undefined;
  at_risk?: number | undefined;
}

/** A value that the product calculated from others. */
export interface CalculationEvidence extends Shared {
  kind: 'calculation';
  value: unknown;
  inputs: readonly string[];
  /** A quotient or a number of days: it has no currency, whatever its inputs have. */
  is_plain?: boolean | undefined;
  /** What a number counts: the time between two dates is in days. */
  unit?: 'day' | undefined;
}

/** A part of a page. */
export interface PassageEvidence extends Shared {
  kind: 'passage';
  document_id: string;
  page_num: number;
  text: string;
  boxes?: Citation['boxes'];
}

/** The content of an id of an answer. */
export type Evidence = CellEvidence | AggregateEvidence | CalculationEvidence | PassageEvidence;

/** A document of the scope: its name, and its values by which a sentence can name it (supplier, customer, number). */
export interface ScopeDocument {
  id: string;
  name: string;
  names: readonly string[];
}

/** The contents of the ids of an answer, with the documents that each is based on. */
export class EvidenceBook {
  readonly #byId = new Map<string, Evidence>();

  constructor(evidence: Iterable<Evidence>) {
    for (const each of evidence) this.#byId.set(each.id, each);
  }

  get(id: string): Evidence | undefined {
    return this.#byId.get(id);
  }

  /** The documents that a value rests on. Of a smallest or largest value, those that have it. */
  documentsOf(evidence: Evidence, seen = new Set<string>()): Set<string> {
    if (evidence.kind === 'cell' || evidence.kind === 'passage') return new Set([evidence.document_id]);
    if (evidence.kind === 'aggregate') {
      if (evidence.document_ids !== undefined) return new Set(evidence.document_ids);
      const isExtreme = evidence.op === 'min' || evidence.op === 'max';
      const cells = isExtreme ? evidence.cells.filter(({ value }) => value === evidence.value) : evidence.cells;
      return new Set(cells.map(({ document_id }) => document_id));
    }
    seen.add(evidence.id);
    const inputs = evidence.inputs.flatMap((id) => (seen.has(id) ? [] : (this.get(id) ?? [])));
    return new Set(inputs.flatMap((input) => [...this.documentsOf(input, seen)]));
  }

  /** The currencies that a value was computed from. */
  currenciesOf(evidence: Evidence, seen = new Set<string>()): Set<string> {
    const own = evidence.currency === undefined ? [] : [evidence.currency];
    if (evidence.kind !== 'calculation' || evidence.is_plain === true) return new Set(own);
    seen.add(evidence.id);
    const inputs = evidence.inputs.flatMap((id) => (seen.has(id) ? [] : (this.get(id) ?? [])));
    return new Set([...own, ...inputs.flatMap((input) => [...this.currenciesOf(input, seen)])]);
  }
}

/** The leaves of a value as texts and numbers, at most 100. */
export function leavesOf(value: unknown, found: unknown[] = []): unknown[] {
  if (found.length >= 100 || value === null || value === undefined) return found;
  if (typeof value === 'object') for (const child of Object.values(value)) leavesOf(child, found);
  else found.push(value);
  return found;
}
