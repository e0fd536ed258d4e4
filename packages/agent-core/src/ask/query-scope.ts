import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CellEvidence } from '@docwright/claims';
import { objectId, parseWhere } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { note } from './passages.ts';
import { runQuery, type QueryAnswer } from './run-query.ts';
import type { AskQuery, AskServices } from './services.ts';

/** The path of a field. */
export const fieldPath = z.string().min(1).max(200);

export const queryScope = defineTool({
  name: 'query_results',
  description:
    'Queries the results of one prompt. `where`: conditions like total>=1000, supplier~acme, due_date<2026-12-01, iban=null, joined by " and ". `columns` returns a row of cells for each document; `aggregate` returns totals over all matching documents, for each group of `group_by`. Amounts in different currencies are never added up: the aggregate is returned once for each currency. If no document matches, it is 0. Cite the ids of cells and aggregates.',
  effect: 'read',
  documentContent: ['document_name', 'value', 'group'],
  parameters: z.strictObject({
    prompt_id: objectId.describe('The id of the prompt, from list_fields.'),
    where: z.string().max(2000).default('').describe('Conditions. Default: all documents.'),
    columns: z.array(fieldPath).max(20).default([]).describe('The fields to return for each document.'),
    group_by: z.array(fieldPath).max(2).default([]),
    aggregate: z
      .array(z.strictObject({ op: z.enum(['sum', 'count', 'min', 'max', 'avg', 'distinct']), path: fieldPath }))
      .max(10)
      .default([]),
    sort: z
      .string()
      .min(1)
      .max(201)
      .optional()
      .describe('The field to sort by, for example total; -total sorts the largest first.'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(200)
      .default(50)
      .describe('The number of rows to return, at most 200. Default: 50.'),
  }),
  summarize: ({ where }) => (where === '' ? 'Query the results' : `Query the results where ${where}`),
  async execute(context: ToolContext<AskServices>, query) {
    const { services } = context;
    const answer = await runQuery(await services.results(query.prompt_id), query, services.shown.evidence.values());
    await placeCells(
      services,
      query.prompt_id,
      answer.rows.flatMap(({ cells }) => cells),
    );
    const shown = [...answer.rows.flatMap(({ cells }) => cells), ...answer.aggregates];
    note(context, shown);
    for (const { id } of shown) services.shown.queries.set(id, query);
    const queried = services.shown.queried.get(query.prompt_id) ?? new Set();
    for (const field of fieldsIn(query)) queried.add(field);
    services.shown.queried.set(query.prompt_id, queried);
    return await presented(answer);
  },
});

/** The fields that a query rests on: a document without one of them is not in the answer, or not with its value. */
const fieldsIn = ({ where, columns, group_by, aggregate }: Omit<AskQuery, 'prompt_id'>): string[] =>
  [...parseWhere(where), ...aggregate].map((each) => each.path).concat(columns, group_by);

/** Adds the places of cells on their pages. */
export async function placeCells(
  services: AskServices,
  promptId: string,
  cells: readonly CellEvidence[],
): Promise<void> {
  const documents = [...new Set(cells.map(({ document_id }) => document_id))];
  if (documents.length === 0) return;
  const places = await services.places(promptId, documents);
  for (const cell of cells) Object.assign(cell, places.get(cell.document_id)?.[cell.path]);
}

/** A query's answer for the model. */
async function presented({ rows, aggregates, matched }: QueryAnswer) {
  const shown: object[] = [];
  for (const aggregate of aggregates) {
    // Named one by one: the cells are computed when they are read, and so are their ids.
    shown.push({
      id: aggregate.id,
      op: aggregate.op,
      path: aggregate.path,
      value: aggregate.value,
      currency: aggregate.currency,
      group: aggregate.group,
      cells: aggregate.first_cells.map((cell) => cell.id),
      cell_count: aggregate.cell_count,
      without_value: aggregate.without_value,
      at_risk: aggregate.at_risk,
    });
    if (shown.length % aggregatesPerStep === 0) await nextTurn();
  }
  const single = aggregates.filter(({ document_ids = [] }) => document_ids.length === 1);
  return {
    matched_documents: matched,
    rows: rows.map(({ cells, ...document }) => ({
      ...document,
      cells: cells.map(({ id, document_id, path: field, value, currency }) => ({
        id,
        document_id,
        path: field,
        value,
        currency,
      })),
    })),
    aggregates: shown,
    // Such a total is a value of its document.
    of_one_document: single.map(({ id, document_ids }) => ({ id, document_id: document_ids?.[0] })),
  };
}

/** Each has the ids of 20 cells. */
const aggregatesPerStep = 50;
