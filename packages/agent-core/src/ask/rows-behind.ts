import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CellEvidence } from '@docwright/claims';
import type { AskRows } from '@docwright/contract';
import { prepareCells } from './aggregates.ts';
import { cellReader } from './cells.ts';
import { eachInSteps } from './in-steps.ts';
import type { AskResult, AskServices } from './services.ts';
import { placeCells } from './query-scope.ts';
import { recallEvidence } from './tools.ts';

/** A longer list is a file, which has no places. */
const maxPlaced = 1000;
/** Columns of a table behind a citation, at most. */
const maxColumns = 8;

/**
 * The documents that a cited value rests on, each with the cited field and those of the query. Of a passage, the
 * document alone. Undefined for an id that no call has shown.
 *
 * @example
 * import { rowsBehind, type AskServices } from '@docwright/agent-core';
 *
 * declare const services: AskServices;
 * const found = await rowsBehind(services, 'a1b2c3d4e5');
 * console.log(found?.rows.length);
 */
export async function rowsBehind(
  services: AskServices,
  id: string,
  page: { skip?: number; limit?: number } = {},
): Promise<AskRows | undefined> {
  await recallEvidence(services, [id]);
  return await services.hold(() => rowsOf(services, id, page));
}

async function rowsOf(
  services: AskServices,
  id: string,
  { skip = 0, limit = Infinity }: { skip?: number; limit?: number },
): Promise<AskRows | undefined> {
  const shown = services.shown.evidence.get(id);
  if (shown?.kind === 'passage') {
    const name = (await services.documents()).find((each) => each.id === shown.document_id)?.name ?? '';
    return { rows: [{ document_id: shown.document_id, document_name: name, cells: [] }], columns: [], total_count: 1 };
  }
  await prepareCells(shown);
  await nextTurn();
  const cells = cellsBehind(services, id, new Set());
  await nextTurn();
  if (cells === undefined) return undefined;
  const query = services.shown.queries.get(id);
  const asked = query && [...query.columns, ...query.group_by, ...query.aggregate.map(({ path }) => path)];
  const columns = [...new Set([...cells.map(({ path }) => path), ...(asked ?? [])])].slice(0, maxColumns);
  const readers = new Map(query && columns.map((path) => [path, cellReader(query.prompt_id, path)] as const));
  const byDocument = new Map<string, CellEvidence[]>();
  await eachInSteps(cells, (cell) => {
    const own = byDocument.get(cell.document_id);
    if (own) own.push(cell);
    else byDocument.set(cell.document_id, [cell]);
  });
  const shownRows = [...byDocument].slice(skip, skip + limit);
  const isShown = new Set(shownRows.map(([documentId]) => documentId));
  const names = new Map<string, string>();
  await eachInSteps(await services.documents(), (each) => void (isShown.has(each.id) && names.set(each.id, each.name)));
  const results = new Map<string, AskResult>();
  await eachInSteps(
    query === undefined ? [] : await services.results(query.prompt_id),
    (each) => void (isShown.has(each.document_id) && results.set(each.document_id, each)),
  );
  const page = shownRows.map(([document_id, own]) => {
    const result = results.get(document_id);
    const others = columns
      .filter((path) => own.every((cell) => cell.path !== path))
      .flatMap((path) => (result && readers.get(path)?.(result)) ?? []);
    return { document_id, cells: [...own, ...others] };
  });
  if (query && limit <= maxPlaced) {
    const shownCells = page.flatMap((row) => row.cells);
    await placeCells(services, query.prompt_id, shownCells);
  }
  const rows = page.map(({ document_id, cells: placed }) => ({
    document_id,
    document_name: names.get(document_id) ?? '',
    cells: placed.map(({ id: cellId, path, value, currency, page_num, boxes, quote }) => ({
      id: cellId,
      path,
      value,
      ...(currency !== undefined && { currency }),
      ...(page_num !== undefined && { page_num }),
      ...(boxes !== undefined && { boxes }),
      ...(quote !== undefined && { quote }),
    })),
  }));
  return { rows, columns, total_count: byDocument.size };
}

function cellsBehind(services: Pick<AskServices, 'shown'>, id: string, seen: Set<string>): CellEvidence[] | undefined {
  const evidence = services.shown.evidence.get(id);
  if (evidence === undefined || evidence.kind === 'passage' || seen.has(id)) return undefined;
  if (evidence.kind === 'cell') return [evidence];
  if (evidence.kind === 'aggregate') return evidence.cells.filter((cell): cell is CellEvidence => 'id' in cell);
  seen.add(id);
  const found = evidence.inputs.flatMap((input) => cellsBehind(services, input, seen) ?? []);
  return [...new Map(found.map((cell) => [cell.id, cell])).values()];
}
