import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import {
  resultPage,
  resultQuery,
  resultSummary,
  savedView,
  savedViewBody,
  savedViewList,
  summaryQuery,
} from './results.ts';

const queryErrors = ['prompt_not_found', 'invalid_where', 'unknown_column'] as const;

export const resultOperations = describeOperations('results', {
  'GET /v0/orgs/:org_id/prompts/:prompt_id/results': {
    operationId: 'listResults',
    summary: 'List the results of a prompt over all documents',
    description:
      'A row for each document: the newest result over all revisions of the prompt, a verified one before later unverified ones. Documents in the trash are left out. `fields` has the scalars of the result by path; a list of single values is one text; lists of objects are `tables`, whose items `table` makes rows of. `sort` and `where` also take `document_name`, `document_id`, `version`, `release`, `is_verified`, `is_complete` and `changed_at`. With `Accept: text/csv`, `application/x-ndjson` or the type of XLSX all selected rows are streamed, and `cursor`, `position` and `limit` are ignored; texts that a spreadsheet would run as formulas are escaped, and more rows than a sheet of Excel has (1,048,576) are refused instead of cut. `lag` is present while results wait to be added to the index.',
    querystring: resultQuery,
    errors: [...queryErrors, 'invalid_cursor', 'too_many_rows', 'too_many_downloads'],
    response: {
      200: {
        description: 'A page of rows, or all of them as a file.',
        content: {
          'application/json': { schema: resultPage },
          'text/csv': { schema: z.string() },
          'application/x-ndjson': { schema: z.string() },
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { schema: z.unknown() },
        },
      },
    },
  },
  'GET /v0/orgs/:org_id/prompts/:prompt_id/results/summary': {
    operationId: 'summarizeResults',
    summary: 'Totals of the results of a prompt',
    description:
      'Totals of the selected rows by the values of one or two columns, at most a thousand groups. `sum` adds up the numbers of a column without the errors of binary fractions; `without_value` counts rows without a number in it.',
    querystring: summaryQuery,
    errors: [...queryErrors, 'too_many_groups'],
    response: { 200: resultSummary },
  },
  'GET /v0/orgs/:org_id/prompts/:prompt_id/views': {
    operationId: 'listResultViews',
    summary: 'List saved views of the results of a prompt',
    description: 'Your own views, and those that others share.',
    errors: ['prompt_not_found'],
    response: { 200: savedViewList },
  },
  'POST /v0/orgs/:org_id/prompts/:prompt_id/views': {
    operationId: 'saveResultView',
    summary: 'Save a view of the results of a prompt',
    description: 'Replaces your view of the same name.',
    body: savedViewBody.meta({ examples: [{ name: 'Large', where: 'total>=1000', sort: '-total' }] }),
    errors: ['prompt_not_found', 'invalid_where', 'too_many_views', 'viewer_cannot_write'],
    response: { 201: savedView },
  },
  'DELETE /v0/orgs/:org_id/prompts/:prompt_id/views/:view_id': {
    operationId: 'deleteResultView',
    summary: 'Delete a saved view',
    description: 'Your own. Admins can delete those that others share.',
    errors: ['prompt_not_found', 'view_not_found', 'viewer_cannot_write'],
    response: { 204: z.undefined() },
  },
});
