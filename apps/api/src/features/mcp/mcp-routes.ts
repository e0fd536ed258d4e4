import { inTraceOf } from '@docwright/agent-core';
import { DomainError } from '@docwright/contract';
import {
  createMcpHandler,
  isJSONRPCResponse,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { leavePlace } from '../../platform/places/request-places.ts';
import { whenClosed } from '../../platform/streams/when-closed.ts';
import { operationsOf } from '../../platform/http/operation.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { z } from 'zod';
import type { TurnAdmission } from '../turn-admission/index.ts';
import { readSessionId, sessionFrom, sessionIdOf } from './client-session.ts';
import { ExchangeTransport } from './exchange-transport.ts';
import { credentialOf, type Exchange } from './mcp-server.ts';
import { callKey } from './question-repository.ts';
import type { McpServices } from './mcp-services.ts';

const operation = operationsOf('mcp');

const sessionHeader = 'mcp-session-id';

/** The MCP endpoint. Every POST is independent: nothing is kept between two of them. */
export const mcpRoutes: FastifyPluginAsyncZod<{
  services: McpServices;
  admission: TurnAdmission;
  streams: StreamAdmission;
}> = async (app, { services, admission, streams }) => {
  const questionsOf = ({ principal, actor }: FastifyRequest) => services.questionsOf(credentialOf(principal), actor);

  app.post(
    '/mcp',
    {
      preHandler: async (request) => requireOwnOrigin(request),
      ...operation({
        operationId: 'callMcp',
        summary: 'The tools, for clients of the Model Context Protocol',
        description:
          'Streamable HTTP of the Model Context Protocol, revision 2026-07-28 and the earlier ones back to 2024-10-07, signed in with an access token (`Authorization: Bearer` or `X-Api-Key`) or a JWT, in the token’s organization or that of `X-Org-Id`. Offers the tools of the document agent and of the task agent, and `list_collections`, `search_collection` and `query_results`, under the same permission rules. A tool that works on a document requires `document_id`; other writes accept it. A write that needs approval asks through elicitation if the client supports it; else the result has `status: "awaiting_approval"` and a `link` to its card in the web app, and the tool `get_call` returns its outcome; `list_waiting_approvals` lists all pending approvals of the user, and no tool decides. `_meta["docwright/turn"]` of a result contains the turn, by which the write can be undone. Bodies are JSON-RPC; the answer is JSON or `text/event-stream`. 403 for a foreign `Origin`.',
        body: z.unknown().meta({ examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }] }),
        errors: ['foreign_origin', 'too_many_calls', 'too_many_streams', 'too_many_turns'],
        response: {
          200: z.unknown().describe('The answer, or a stream of messages that ends with it.'),
          202: z.undefined().describe('A notification, or the answer to a question, was accepted.'),
          406: z.unknown().describe('`Accept` must contain application/json and text/event-stream.'),
        },
      }),
    },
    async (request, reply) => {
      const { body } = request;
      if (isJSONRPCResponse(body)) {
        await questionsOf(request).answer(body);
        return reply.code(202).send();
      }
      const cancelled = callKey(headerOf(request, sessionHeader), cancelledRequest(body));
      if (cancelled !== undefined) {
        await questionsOf(request).cancel(cancelled);
        return reply.code(202).send();
      }
      if (isCall(body)) services.places.requireRoom(request.actor.organizationId);
      const isEarlier = await isLegacyRequest(webRequest(request), body);
      const answer = await inTraceOf(sentMeta(body), () => (isEarlier ? serveEarlier : serve)(request, reply));
      return reply.send(answer);
    },
  );

  for (const method of ['GET', 'DELETE'] as const) {
    app.route({
      method,
      url: '/mcp',
      ...operation({
        operationId: method === 'GET' ? 'openMcpStream' : 'endMcpSession',
        summary: method === 'GET' ? 'No stream besides the answers' : 'No session to end',
        description: 'Always 405, as the Model Context Protocol specifies for servers without sessions.',
        response: { 405: z.undefined().describe('Send a POST.') },
      }),
      handler: (_request, reply) => reply.code(405).header('allow', 'POST').send(),
    });
  }

  function exchangeOf(request: FastifyRequest, reply: FastifyReply): Omit<Exchange, 'isModern'> {
    const origin = `${request.protocol}://${request.host}`;
    return {
      actor: request.actor,
      principal: request.principal,
      admit: (start) => admission.run(request, reply, start),
      async isCancelled(requestId) {
        const call = callKey(headerOf(request, sessionHeader), requestId);
        return call !== undefined && (await questionsOf(request).isCancelled(call));
      },
      leaveRequestPlace: () => leavePlace(request),
      origin,
      linkTo: ({ documentId, threadId }) => `${origin}/documents/${documentId}?tab=agent&thread=${threadId}`,
    };
  }

  /** Revision 2026-07-28: a question to the user is an answer, and returns with the repeated call. */
  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<Response> {
    const server = () => services.makeServer(services, { ...exchangeOf(request, reply), isModern: true });
    // Nothing to subscribe to: the tools never change.
    const handler = createMcpHandler(server, { legacy: 'reject', maxSubscriptions: 0 });
    const left = new AbortController();
    whenClosed(reply.raw, () => left.abort());
    return handler.fetch(webRequest(request, left.signal), { parsedBody: request.body });
  }

  /** Earlier revisions: a question to the user goes out in the stream of the response to the call. */
  async function serveEarlier(request: FastifyRequest, reply: FastifyReply): Promise<Response> {
    const newSession = sessionFrom(request.body);
    const session = newSession ? undefined : readSessionId(headerOf(request, sessionHeader));
    const http = new WebStandardStreamableHTTPServerTransport({});
    const transport = new ExchangeTransport(http, session, questionsOf(request), (id) =>
      callKey(headerOf(request, sessionHeader), id),
    );
    const server = services.makeServer(services, { ...exchangeOf(request, reply), session, isModern: false });
    const onerror: typeof server.onerror = (error) => request.log.debug({ err: error }, 'an exchange of MCP');
    Object.assign(server, { onerror });
    await server.connect(transport);
    await transport.introduce();
    // Also for a client that disconnects during a question: the card stays, the question does not.
    whenClosed(reply.raw, () => void server.close());
    if (session?.elicits === true && isCall(request.body)) streams.stream(request, reply);
    if (newSession) void reply.header(sessionHeader, sessionIdOf(newSession));
    return http.handleRequest(webRequest(request), { parsedBody: request.body });
  }
};

/** Pages of other sites must not use their visitor's browser to call us. Programs send no Origin. */
function requireOwnOrigin({ host, headers: { origin } }: FastifyRequest): void {
  if (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)) return;
  throw new DomainError(
    'forbidden',
    'foreign_origin',
    'The Origin header names another site. Send the request from this server’s own pages, or without an Origin.',
  );
}

/** What a request says about itself, such as its trace. */
function sentMeta(body: unknown): Record<string, unknown> {
  const { data } = requestWithMeta.safeParse(body);
  return data?.params._meta ?? {};
}

const requestWithMeta = z.object({ params: z.object({ _meta: z.record(z.string(), z.unknown()) }) });

/** Whether the message is a call of a tool: its response can stay open until the user has answered. */
function isCall(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && body.method === 'tools/call';
}

/** The id of the request that a notification cancels; undefined for any other message. */
function cancelledRequest(body: unknown): unknown {
  const { data } = cancellation.safeParse(body);
  return data?.params.requestId;
}

const cancellation = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The request in the SDK's format; its body has been read. Its exchange ends with the signal. */
function webRequest(request: FastifyRequest, signal?: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  // Not the client's Host header, which might be missing.
  return new Request('http://localhost/mcp', { method: request.method, headers, signal: signal ?? null });
}
