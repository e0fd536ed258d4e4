import { z } from 'zod';
import { releaseState } from './release.ts';
import { artifactName, idListQuery, idsQuery, jsonValue, recordId, timestamp, yesOrNo } from '../base/fields.ts';

/** How many documents one query can name: their ids fit into an address. */
export const maxResultDocuments = 300;

/** The parts of a query that select results. */
export const resultFilter = z.object({
  release: releaseState.optional(),
  is_verified: yesOrNo.optional(),
  tag_ids: idListQuery.optional().describe('Only documents that have all of these tags.'),
  document_ids: idsQuery(maxResultDocuments).optional().describe('Only these documents, at most 300.'),
  include_replaced: yesOrNo
    .optional()
    .describe('Also documents that a newer version of their file replaced. `document_ids` names them too.'),
  since: z.iso.datetime({ offset: true }).optional().describe('Only results that changed at or after this time.'),
  where: z
    .string()
    .max(4_000)
    .optional()
    .describe(
      'Conditions `path op value`, at most ten, joined by ` and `: `total>=1000 and supplier~acme and iban=null`. The operators are `=`, `!=`, `<`, `<=`, `>`, `>=`, and `~` for “contains”, which ignores case. A value in quotes can contain ` and `. A missing value satisfies only `=null`.',
    ),
  table: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('The path of a list of objects: one row for each of its items, with the document’s columns in front.'),
});
export type ResultFilter = z.infer<typeof resultFilter>;

const columnList = z
  .string()
  .max(20_000)
  .transform((text) =>
    text
      .split(',')
      .map((path) => path.trim())
      .filter(Boolean),
  )
  .pipe(z.array(z.string()).max(300));

export const resultQuery = resultFilter.extend({
  sort: z
    .string()
    .max(501)
    .optional()
    .describe(
      'A column, descending with `-` in front: `total`, `-total`. By default the last changed results come first.',
    ),
  columns: columnList.optional().describe('The columns of `fields`, separated by commas. By default all.'),
  cursor: z.string().max(4_000).optional().describe('`next_cursor` of the previous page.'),
  position: z.coerce
    .number()
    .int()
    .min(0)
    .max(100_000_000)
    .optional()
    .describe(
      'The position of the first row, from 0, instead of `cursor`: for a table that shows any part of the rows.',
    ),
  limit: z.coerce.number().int().min(1).max(500).default(50),
});
export type ResultQuery = z.infer<typeof resultQuery>;

export const resultColumn = z.object({
  path: z.string(),
  /** The type of most of its values. */
  kind: z.enum(['text', 'number', 'boolean']),
});
export type ResultColumn = z.infer<typeof resultColumn>;

/** The newest result of the prompt on a document, over all revisions; a verified one comes before later unverified ones. */
export const resultRow = z.object({
  document_id: recordId,
  document_name: z.string(),
  prompt_revid: recordId,
  version: z.number().int(),
  release: releaseState,
  is_verified: z.boolean(),
  is_complete: z.boolean().optional(),
  /** The highest risk of the values that are open in Review. */
  risk: z.number().optional(),
  /** Values of the document and prompt to check, as Review lists them. */
  to_check: z.number().int().optional(),
  changed_at: timestamp,
  /** With `table`: the position of the item in its list, from 0. */
  item: z.number().int().optional(),
  fields: z.record(z.string(), jsonValue),
});
export type ResultRow = z.infer<typeof resultRow>;

/** How far the index is behind the results. */
export const indexLag = z.object({
  /** Results that were written and are not in the index yet. */
  pending: z.number().int(),
});

export const resultPage = z.object({
  rows: z.array(resultRow),
  columns: z.array(resultColumn),
  /** The lists of objects that `table` can name. */
  tables: z.array(z.string()),
  next_cursor: z.string().nullable(),
  total_count: z.number().int(),
  /** Present while the index lags behind the results. */
  lag: indexLag.optional(),
});
export type ResultPage = z.infer<typeof resultPage>;

export const summaryQuery = resultFilter.extend({
  group_by: columnList.optional().describe('One or two columns. Without it, one total of all rows.'),
  sum: z.string().max(500).optional().describe('The column of numbers to add up.'),
  count: z.string().max(500).optional().describe('The column whose values are counted. By default, rows are counted.'),
});
export type SummaryQuery = z.infer<typeof summaryQuery>;

export const resultSummary = z.object({
  totals: z.array(
    z.object({
      /** The values of the columns of `group_by`, in their order. */
      key: z.array(jsonValue),
      sum: z.number().optional(),
      count: z.number().int(),
      /** Rows without a value in the column of `sum` or `count`. */
      without_value: z.number().int(),
    }),
  ),
  /** The number of groups; `totals` has the first thousand, those with the most rows first. */
  total_count: z.number().int(),
  lag: indexLag.optional(),
});
export type ResultSummary = z.infer<typeof resultSummary>;

/** A view of a prompt's results that a user saved. */
export const savedViewBody = z.object({
  name: artifactName,
  columns: z.array(z.string().min(1).max(500)).max(300).default([]),
  where: z.string().max(4_000).default(''),
  sort: z.string().max(501).default(''),
  is_shared: z.boolean().default(false),
});
export type SavedViewBody = z.infer<typeof savedViewBody>;

export const savedView = savedViewBody.extend({
  // Of stored views: earlier versions took names that a request may no longer have.
  name: z.string(),
  id: recordId,
  prompt_id: recordId,
  created_by: recordId,
  created_at: timestamp,
});
export type SavedView = z.infer<typeof savedView>;

export const savedViewList = z.object({ views: z.array(savedView), total_count: z.number().int() });
