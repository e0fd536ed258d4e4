import type { AggregateEvidence, CellEvidence, Evidence, QueryCondition } from '@docwright/claims';
import { cellReader, currencyReader, fieldValue, idOf, isAmount } from './cells.ts';
import { eachInSteps } from './in-steps.ts';
import type { AskQuery, AskResult } from './services.ts';
import { compare, numberOf } from './values.ts';

/** What a query computes over its results. */
export type QueryAggregate = AggregateEvidence & {
  group?: Record<string, unknown>;
  /** The number of its cells, and those that are sent to the model. */
  cell_count: number;
  first_cells: readonly CellEvidence[];
};

/** How many ids of cells an aggregate names; the product knows all of them. */
const maxNamedCells = 20;

/** The results that an aggregate rests on, in two lists: its cells are read if it is cited. */
export interface KeptRows {
  ids: string[];
  results: AskResult['result'][];
}

interface AggregatePlace {
  group: Record<string, unknown>;
  conditions: readonly QueryCondition[];
  query: Pick<AskQuery, 'prompt_id' | 'where'>;
  /** Those of the other aggregates of this group, and of those that are kept already. */
  lists: KeptRows[];
}

export async function aggregatesOf(
  members: readonly AskResult[],
  { op, path }: AskQuery['aggregate'][number],
  { group, conditions, query: { prompt_id, where }, lists }: AggregatePlace,
): Promise<QueryAggregate[]> {
  const isNumeric = op === 'sum' || op === 'avg';
  const isSplit = op !== 'count' && op !== 'distinct' && isAmount(path);
  const currencyOf = isSplit ? currencyReader(path) : () => undefined;
  const parts = new Map<string | undefined, { rows: KeptRows; values: unknown[]; atRisk: number }>();
  const partOf = (currency: string | undefined) => {
    const known = parts.get(currency);
    if (known !== undefined) return known;
    const part = { rows: { ids: [], results: [] }, values: [], atRisk: 0 };
    parts.set(currency, part);
    return part;
  };
  let used = 0;
  await eachInSteps(members, (row) => {
    const value = fieldValue(row.result, path);
    if (value === undefined || value === null || value === '') return;
    if (isNumeric && numberOf(value) === undefined) return;
    const part = partOf(currencyOf(row.result, value));
    part.rows.ids.push(row.document_id);
    part.rows.results.push(row.result);
    part.values.push(value);
    if (row.at_risk.includes(path)) part.atRisk += 1;
    used += 1;
  });
  if (parts.size === 0 && (op === 'count' || op === 'distinct')) partOf(undefined);
  const keys = Object.entries(group).map(([key, value]) => ({ path: key, op: '=' as const, value: value as string }));
  const aggregates: QueryAggregate[] = [];
  for (const [currency, { rows: own, values, atRisk }] of parts) {
    const rows = sharedRows(own, lists);
    const cellsOf = cellsReader(rows, prompt_id, path);
    const value = await valueOf(op, values);
    const isExtreme = op === 'min' || op === 'max';
    let cells: CellEvidence[] | undefined;
    const aggregate: QueryAggregate = {
      kind: 'aggregate',
      id: idOf('a', prompt_id, where, group, op, path, currency),
      op,
      path,
      value,
      ...(currency !== undefined && { currency }),
      ...(keys.length > 0 && { group }),
      // Most aggregates are not cited, and few of their cells are named.
      get cells() {
        return (cells ??= cellsOf(rows.ids.length));
      },
      cell_count: rows.ids.length,
      document_ids: isExtreme ? rows.ids.filter((_, at) => values[at] === value) : rows.ids,
      first_cells: cellsOf(Math.min(rows.ids.length, maxNamedCells)),
      without_value: members.length - used,
      at_risk: atRisk,
      conditions: [...conditions, ...keys],
    };
    keptRows.set(aggregate, rows);
    preparations.set(aggregate, async () => {
      const read = cellReader(prompt_id, path);
      const found: CellEvidence[] = [];
      await eachInSteps(rows.ids.entries(), ([at, document_id]) => {
        const cell = read({ document_id, result: rows.results[at]! });
        if (cell !== undefined) found.push(cell);
      });
      cells ??= found;
    });
    aggregates.push(aggregate);
  }
  return aggregates;
}

const keptRows = new WeakMap<object, KeptRows>();

/** The lists that evidence keeps, each once. */
export function listsOf(evidence: Iterable<Evidence>): Set<KeptRows> {
  const lists = new Set<KeptRows>();
  for (const each of evidence) {
    const rows = keptRows.get(each);
    if (rows !== undefined) lists.add(rows);
  }
  return lists;
}

const preparations = new WeakMap<object, () => Promise<void>>();

/** Reads the cells of an aggregate in steps, so that they are there at once when they are asked for. */
export async function prepareCells(evidence: Evidence | undefined): Promise<void> {
  const prepare = evidence && preparations.get(evidence);
  await prepare?.();
}

/** Lists of the same results are kept once. */
function sharedRows(rows: KeptRows, lists: KeptRows[]): KeptRows {
  const isSame = ({ ids, results }: KeptRows) =>
    ids.length === rows.ids.length && ids.every((id, at) => id === rows.ids[at] && results[at] === rows.results[at]);
  const known = lists.find(isSame);
  if (known === undefined) lists.push(rows);
  return known ?? rows;
}

/** Reads the first cells at a path. */
function cellsReader({ ids, results }: KeptRows, promptId: string, path: string): (count: number) => CellEvidence[] {
  return (count) => {
    const read = cellReader(promptId, path);
    return ids.slice(0, count).flatMap((document_id, at) => read({ document_id, result: results[at]! }) ?? []);
  };
}

async function valueOf(op: AggregateEvidence['op'], values: readonly unknown[]): Promise<unknown> {
  if (op === 'count') return values.length;
  if (op === 'distinct') {
    const distinct = new Set<string>();
    await eachInSteps(values, (value) => void distinct.add(JSON.stringify(value)));
    return distinct.size;
  }
  if (op === 'min' || op === 'max') {
    let [best] = values;
    await eachInSteps(values, (value) => {
      const order = compare(value, best) ?? 0;
      if (op === 'min' ? order < 0 : order >= 0) best = value;
    });
    return best;
  }
  let sum = 0;
  await eachInSteps(values, (value) => void (sum += numberOf(value) ?? 0));
  return Math.round((op === 'sum' ? sum : sum / values.length) * 1e6) / 1e6;
}
