import {
  askBody,
  askRows,
  askRowsQuery,
  csvLine,
  csvType,
  modelFailures,
  objectId,
  type AskRows,
} from '@docwright/contract';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { AskRowsOf } from './ask-rows.ts';
import type { CheckScope } from './scope-repository.ts';
import { acceptedLanguage } from '../../platform/http/accepted-language.ts';
import { answerOrEvents, answerTurn, turnBodyLimit, type ChatServices } from '../chat/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { ConversationArea } from '../threads/index.ts';
import type { TurnAdmission } from '../turn-admission/index.ts';

/** Turns and threads of questions belong to no document. */
export const askPlace = '0'.repeat(24);

/** Conversations over many documents. */
export const askConversations: ConversationArea = {
  tag: 'ask',
  path: '/v0/orgs/:org_id/ask',
  // The path has no document.
  params: z.object({ org_id: objectId }) as unknown as ConversationArea['params'],
  placeOf: () => askPlace,
  errors: [],
  operationId: (name) => name.replace(/^([a-z]+)(?:Chat)?/u, '$1Ask'),
};

const operation = operationsOf(askConversations.tag);

interface AskRouteOptions {
  services: Pick<ChatServices, 'chat'> & { rows: AskRowsOf; checkScope: CheckScope };
  admission: TurnAdmission;
  streams: StreamAdmission;
}

/** Questions over many documents, whose answers are checked sentence by sentence. */
export const askRoutes: FastifyPluginAsyncZod<AskRouteOptions> = async (
  app,
  { services: { chat, rows, checkScope }, admission, streams },
) => {
  const answer = answerTurn({ admission, streams });
  app.post(
    askConversations.path,
    {
      sse: 'manual',
      bodyLimit: turnBodyLimit,
      ...operation({
        operationId: 'ask',
        summary: 'Ask a question over many documents',
        description:
          'Starts a turn like that of a chat, over the documents of `scope`. Before the answer is done, each sentence is checked against what its citations `[[id]]` hold: `claims` is in the answer, and in an event before `done`. What is unsupported goes back to the model once. The check is a filter and not a proof. `coverage` says which documents lack a result or a value.',
        params: askConversations.params,
        body: askBody.meta({
          examples: [{ messages: [{ role: 'user', content: 'What did we pay Contoso, by currency?' }] }],
        }),
        errors: [
          'last_message_not_user',
          'model_not_enabled',
          'thread_id_missing',
          'thread_shorter',
          'thread_not_found',
          'turn_running',
          'turn_taken_over',
          'turn_timeout',
          'scope_too_large',
          'unknown_reference',
          'too_many_streams',
          'too_many_turns',
          ...modelFailures,
        ],
        response: { 200: answerOrEvents },
      }),
    },
    (request, reply) => {
      const { scope, ...body } = request.body;
      const { language } = acceptedLanguage(request);
      const ask = { ...(scope && { scope }), ...(language !== undefined && { locale: language }) };
      const manual = { auto_approve: false, auto_approved_tools: [] };
      return answer(request, reply, body.stream, async () => {
        await checkScope(request.actor.organizationId, scope);
        return await chat.start(request.actor, askPlace, { ...body, ...manual, ask });
      });
    },
  );

  app.get(
    `${askConversations.path}/threads/:thread_id/rows/:citation_id`,
    operation({
      operationId: 'listAskRows',
      summary: 'List the documents and values behind a citation',
      description:
        'For the id of a cell, an aggregate or a calculation in an answer of the conversation: a row for each document, with the cited field, its place, and the fields of the query. The query runs again, so the values are those of now. With `Accept: text/csv` all rows are one file, in which texts that a spreadsheet would run as formulas are escaped.',
      params: z.object({ org_id: objectId, thread_id: objectId, citation_id: z.string().min(1).max(40) }),
      querystring: askRowsQuery,
      errors: ['thread_not_found', 'citation_not_found', 'scope_too_large'],
      response: {
        200: {
          description: 'A page of rows, or all of them as a file.',
          content: { 'application/json': { schema: askRows }, 'text/csv': { schema: z.string() } },
        },
      },
    }),
    async (request, reply) => {
      const { skip, limit, question } = request.query;
      const { thread_id, citation_id: id } = request.params;
      const isFile = request.headers.accept?.includes('text/csv') === true;
      const page = isFile ? {} : { skip, limit };
      const found = await rows(request.actor, thread_id, { id, question, ...page });
      void reply.header('vary', 'accept, cookie, authorization');
      if (!isFile) return found;
      return reply
        .type(csvType)
        .header('content-disposition', contentDisposition(`rows-${id}.csv`))
        .send(csvOf(found));
    },
  );
};

function csvOf({ rows, columns }: Pick<AskRows, 'rows' | 'columns'>): string {
  const head = ['document_id', 'document_name', ...columns.flatMap((path) => [path, `${path}:currency`])];
  const lines = rows.map(({ document_id, document_name, cells }) => [
    document_id,
    document_name,
    ...columns.flatMap((path) => {
      const cell = cells.find((each) => each.path === path);
      return [plainCell(cell?.value), cell?.currency ?? null];
    }),
  ]);
  return [head, ...lines].map((line) => `${csvLine(line)}\r\n`).join('');
}

const plainCell = (value: unknown): string | number | boolean | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : value === undefined || value === null
      ? null
      : JSON.stringify(value);
