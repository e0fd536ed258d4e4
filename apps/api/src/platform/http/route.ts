import {
  objectId,
  type AnswerOf,
  type OperationDescription,
  type OperationName,
  type ParamsOf,
  type ReadBodyOf,
  type ReadQueryOf,
} from '@docwright/contract';
import { operations } from '@docwright/contract/operations';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { z } from 'zod';

/** A request of a described operation, as its schemas have read it. */
export type RequestOf<Name extends OperationName> = FastifyRequest<{
  Params: ParamsOf<Name>;
  Querystring: ReadQueryOf<Name>;
  Body: ReadBodyOf<Name>;
}>;

/** Answers with a value, or sends the answer and returns the reply. */
type Handler<Name extends OperationName, Streamed = never> = (
  request: RequestOf<Name>,
  reply: FastifyReply,
) => Answer<Name, Streamed> | Promise<Answer<Name, Streamed>>;
type Answer<Name extends OperationName, Streamed> =
  undefined extends AnswerOf<Name> ? unknown : AnswerOf<Name> | FastifyReply | Streamed;

type Options = Omit<RouteShorthandOptions, 'schema'>;

interface Route {
  <Name extends OperationName>(name: Name, handler: Handler<Name>): void;
  /** A handler that streams events returns nothing. */
  <Name extends OperationName>(
    name: Name,
    options: Options & { sse: 'manual' },
    handler: Handler<Name, undefined>,
  ): void;
  <Name extends OperationName>(name: Name, options: Options, handler: Handler<Name>): void;
}

/**
 * Registers operations of the contract. The answer of a handler is sent with the lowest status of the description.
 *
 * @example
 * const route = routesOf(app);
 * route('GET /v0/orgs/:org_id/tags', ({ actor, query }) => tags(actor).list(query));
 */
export function routesOf(app: FastifyInstance): Route {
  return <Name extends OperationName>(name: Name, ...rest: [Handler<Name>] | [Options, Handler<Name>]) => {
    const [handler, options = {}] = rest.length === 1 ? rest : [rest[1], rest[0]];
    const [method, url] = name.split(' ') as [string, string];
    const { params, ...schema }: OperationDescription = operations[name];
    const status = Number(Object.keys(schema.response)[0]);
    app.route({
      ...options,
      method,
      url,
      schema: { ...schema, ...(url.includes(':') && { params: paramsOf(url, params) }) },
      handler: async (request, reply) => {
        // 200 is the default, and a redirect has its own.
        if (status !== 200) reply.code(status);
        const answer = await handler(request as RequestOf<Name>, reply);
        return status === 204 && !reply.sent ? reply.send() : answer;
      },
    });
  };
}

/** Path parameters are ids, unless the operation describes them. */
function paramsOf(url: string, described: Record<string, z.ZodType> = {}): z.ZodType {
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  return z.object(Object.fromEntries(names.map((name) => [name, described[name] ?? objectId])));
}
