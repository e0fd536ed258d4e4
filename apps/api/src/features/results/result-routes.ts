import {
  objectId,
  resultPage,
  resultQuery,
  resultSummary,
  savedView,
  savedViewBody,
  savedViewList,
  schemaUse as schemaUseAnswer,
  summaryQuery,
} from '@docwright/contract';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import { requireWriter, type Actor } from '../identity/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { exportResults, exportFormatOf, xlsxType } from './result-export.ts';
import type { ResultService } from './result-service.ts';
import type { SavedViews } from './saved-view-repository.ts';
import type { ReadSchemaUse } from './schema-use-service.ts';

const operation = operationsOf('results');
const promptPath = z.object({ org_id: objectId, prompt_id: objectId });
const queryErrors = ['prompt_not_found', 'invalid_where', 'unknown_column'] as const;

/** Results of a prompt over many documents. */
export const resultRoutes: FastifyPluginAsyncZod<{
  services: {
    results: (actor: Actor) => ResultService;
    savedViews: (actor: Actor) => SavedViews;
    schemaUse: (actor: Actor) => ReadSchemaUse;
  };
  streams: StreamAdmission;
}> = async (app, { services: { results, savedViews, schemaUse }, streams }) => {
  app.get(
    '/v0/orgs/:org_id/prompts/:prompt_id/results',
    operation({
      operationId: 'listResults',
      summary: 'List the results of a prompt over all documents',
      description:
        'A row for each document: the newest result over all revisions of the prompt, a verified one before later unverified ones. Documents in the trash are left out. `fields` has the scalars of the result by path; a list of single values is one text; lists of objects are `tables`, whose items `table` makes rows of. `sort` and `where` also take `document_name`, `document_id`, `version`, `release`, `is_verified`, `is_complete` and `changed_at`. With `Accept: text/csv`, `application/x-ndjson` or the type of XLSX all selected rows are streamed, and `cursor`, `position` and `limit` are ignored; texts that a spreadsheet would run as formulas are escaped, and more rows than a sheet of Excel has (1,048,576) are refused instead of cut. `lag` is present while results wait to be added to the index.',
      params: promptPath,
      querystring: resultQuery,
      errors: [...queryErrors, 'invalid_cursor', 'too_many_rows', 'too_many_downloads'],
      response: {
        200: {
          description: 'A page of rows, or all of them as a file.',
          content: {
            'application/json': { schema: resultPage },
            'text/csv': { schema: z.string() },
            'application/x-ndjson': { schema: z.string() },
            [xlsxType]: { schema: z.unknown() },
          },
        },
      },
    }),
    async (request, reply) => {
      const service = results(request.actor);
      const { prompt_id } = request.params;
      const format = exportFormatOf(request.headers.accept);
      void reply.header('vary', 'accept, cookie, authorization');
      if (format === undefined) return await service.query(prompt_id, request.query);
      const { cursor: _cursor, position: _position, limit: _limit, ...query } = request.query;
      const found = await service.export(prompt_id, query);
      const file = exportResults(found, format);
      streams.download(request, reply);
      return reply
        .type(file.type)
        .header('content-disposition', contentDisposition(`${found.name}.${file.extension}`))
        .send(file.body);
    },
  );

  app.get(
    '/v0/orgs/:org_id/prompts/:prompt_id/results/summary',
    operation({
      operationId: 'summarizeResults',
      summary: 'Totals of the results of a prompt',
      description:
        'Totals of the selected rows by the values of one or two columns, at most a thousand groups. `sum` adds up the numbers of a column without the errors of binary fractions; `without_value` counts rows without a number in it.',
      params: promptPath,
      querystring: summaryQuery,
      errors: [...queryErrors, 'too_many_groups'],
      response: { 200: resultSummary },
    }),
    async (request) => results(request.actor).summary(request.params.prompt_id, request.query),
  );

  app.get(
    '/v0/orgs/:org_id/prompts/:prompt_id/views',
    operation({
      operationId: 'listResultViews',
      summary: 'List saved views of the results of a prompt',
      description: 'Your own views, and those that others share.',
      params: promptPath,
      errors: ['prompt_not_found'],
      response: { 200: savedViewList },
    }),
    async (request) => savedViews(request.actor).list(request.params.prompt_id),
  );

  app.post(
    '/v0/orgs/:org_id/prompts/:prompt_id/views',
    operation({
      operationId: 'saveResultView',
      summary: 'Save a view of the results of a prompt',
      description: 'Replaces your view of the same name.',
      params: promptPath,
      body: savedViewBody.meta({ examples: [{ name: 'Large', where: 'total>=1000', sort: '-total' }] }),
      errors: ['prompt_not_found', 'invalid_where', 'too_many_views', 'viewer_cannot_write'],
      response: { 201: savedView },
    }),
    async (request, reply) => {
      requireWriter(request.actor);
      return reply.code(201).send(await savedViews(request.actor).save(request.params.prompt_id, request.body));
    },
  );

  app.get(
    '/v0/orgs/:org_id/schemas/:id/use',
    {
      schema: {
        tags: ['schemas'],
        operationId: 'getSchemaUse',
        summary: 'Show what a change of a schema concerns',
        description:
          'The prompts that use the schema, with the version that each uses and the number of its documents: a prompt stays on its version until it is changed (`PUT …/prompts/{id}` with `schema_id`), and a document keeps its result until it is extracted again. `POST …/evaluations` with the next `response_format` measures a change on verified documents before it is saved.',
        params: z.object({ org_id: objectId, id: objectId.describe('A schema_id') }),
        errors: ['schema_not_found'],
        response: { 200: schemaUseAnswer },
      },
    },
    async (request) => await schemaUse(request.actor)(request.params.id),
  );

  app.delete(
    '/v0/orgs/:org_id/prompts/:prompt_id/views/:view_id',
    operation({
      operationId: 'deleteResultView',
      summary: 'Delete a saved view',
      description: 'Your own. Admins can delete those that others share.',
      params: promptPath.extend({ view_id: objectId }),
      errors: ['prompt_not_found', 'view_not_found', 'viewer_cannot_write'],
      response: { 204: z.undefined() },
    }),
    async (request, reply) => {
      requireWriter(request.actor);
      await savedViews(request.actor).remove(request.params.prompt_id, request.params.view_id);
      return reply.code(204).send();
    },
  );
};
