import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { fastifySwagger } from '@fastify/swagger';
import fastifyPlugin from 'fastify-plugin';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import packageInfo from '../../../../package.json' with { type: 'json' };
import { inTurns, type Steps } from '../../long-values/in-turns.ts';
import { errorsOf, isForPrograms, type RouteError } from '../route-errors.ts';
import { nameSchemas, type NameableDocument } from './named-schemas.ts';
import { errorBody } from '@docwright/contract';

/** The first page of the OpenAPI document. */
const introduction = `A document workbench with an agent.

Bodies are JSON in snake_case, ids have 24 hex digits unless a route says otherwise, times are ISO 8601 in UTC. Creating answers 201, deleting 204. Lists take \`skip\` (at most 10,000) and \`limit\` (at most 100), and go on by \`cursor\`, the \`next_cursor\` of the page before; their \`total_count\` counts all matches up to 10,000, then \`total_is_minimum\` is set. A query parameter that the operation does not describe is refused (\`unknown_parameter\`). Of fields of the same name in one object, the last counts.

**Signing in**: \`POST /v0/auth/login\` gives a JWT for \`Authorization: Bearer …\`, and a cookie for browsers. Programs use an access token, as \`Bearer\` or in \`X-Api-Key\`. Routes below \`/v0/orgs/{org_id}\` act in that organization; those below \`/api\`, and \`/mcp\`, in the one that \`X-Org-Id\` names, else in that of the token, else in the caller’s oldest membership.

**Errors** are \`{ "error": { "code", "message", "details"?, "request_id" } }\`. \`code\` is stable, and each operation lists its codes; \`message\` tells users what to do; \`request_id\` is also in the \`X-Request-Id\` header. A record that does not exist and one of another organization are both 404.

**Streams** are \`text/event-stream\`; a comment every 15 seconds of silence keeps them open.`;

/** The groups of the OpenAPI document, in its order. */
export const openApiTags = [
  { name: 'identity', description: 'Accounts, signing in and out.' },
  { name: 'organizations', description: 'Organizations, their members and invitations.' },
  { name: 'oauth', description: 'Sign-in of programs that only know the address (OAuth 2.1).' },
  { name: 'access tokens', description: 'Credentials for programs, each for one organization.' },
  { name: 'documents', description: 'Uploads, the original files, and their text.' },
  { name: 'bulk jobs', description: 'One action over many documents: with progress, stop and undo.' },
  { name: 'routes', description: 'Where documents go once they have their text.' },
  { name: 'trash', description: 'Deleted documents, which can be restored for 30 days.' },
  { name: 'schemas', description: 'The fields to extract: draft 7 JSON Schemas in immutable revisions.' },
  { name: 'prompts', description: 'The instructions for extraction: prompts in immutable revisions, applied by tag.' },
  { name: 'tags', description: 'Labels that connect documents with prompts.' },
  {
    name: 'extractions',
    description: 'Results of a prompt on a document, with the position of each value on the pages.',
  },
  { name: 'results', description: 'Results of a prompt over many documents: rows, totals and exports.' },
  { name: 'events', description: 'What happened in the organization: a feed that loses nothing, for 30 days.' },
  { name: 'webhooks', description: 'Events sent to an address, signed, until they arrive.' },
  { name: 'review', description: 'The values to check, the riskiest first, and decisions about them.' },
  {
    name: 'release',
    description: 'Results that may leave, released by users or by a policy with a bound on what is wrong in them.',
  },
  { name: 'evaluations', description: 'Prompts measured against verified results, before a change is saved.' },
  {
    name: 'chat',
    description:
      'The agent of one document: turns, approvals, threads, undo. Turns and threads belong to the user who started them.',
  },
  {
    name: 'ask',
    description: 'Questions over many documents. Each sentence of an answer is checked against what it cites.',
  },
  { name: 'approvals', description: 'The inbox: all pending approvals, over all documents.' },
  { name: 'permission rules', description: 'Which calls of the agent run, need approval, or never run.' },
  { name: 'audit', description: 'What the agent proposed, who decided, what ran and what was undone.' },
  { name: 'auto-create', description: 'Proposals of a schema, a prompt and an extraction, made without a user.' },
  { name: 'runs', description: 'The agent over many documents, without a user.' },
  { name: 'schedules', description: 'Runs that start at set times.' },
  { name: 'schema chat', description: 'A stateless assistant that designs the columns of a schema.' },
  { name: 'sources', description: 'Sets of documents for pipelines, and the plugins of pipelines.' },
  {
    name: 'pipeline agent',
    description: 'Conversations in which the agent builds a pipeline and the user applies it.',
  },
  { name: 'collections', description: 'Results of applied pipelines: searchable chunks of documents.' },
  { name: 'tasks', description: 'A user’s to-do list.' },
  { name: 'task agent', description: 'An agent that manages the same list.' },
  { name: 'llm', description: 'The available models and their providers.' },
  { name: 'usage', description: 'The cost of model calls, and the budget for them.' },
  { name: 'mcp', description: 'The tools for clients of the Model Context Protocol.' },
  { name: 'operations', description: 'For operators of the server.' },
];

interface Reference {
  $ref: string;
}

interface ErrorResponse {
  description: string;
  content: { 'application/json': { schema: object } };
  /** What `error.code` can be. */
  'x-error-codes': string[];
}

/** The error answers by status; those that several operations share are described once, under `components`. */
class ErrorResponses {
  readonly #named = new Map<string, ErrorResponse>();

  /** References by status, for an operation with these errors. */
  of(errors: readonly RouteError[]): Record<string, Reference> {
    const statuses = Map.groupBy(errors, ({ status }) => status);
    return Object.fromEntries(
      [...statuses].map(([status, ofStatus]) => {
        const name = `${status}.${ofStatus.map(({ code }) => code).join('.')}`;
        this.#named.set(name, responseOf(ofStatus));
        return [String(status), { $ref: `#/components/responses/${name}` }];
      }),
    );
  }

  get components(): { schemas: Record<string, object>; responses: Record<string, ErrorResponse> } {
    const { $schema: _, ...shape } = z.toJSONSchema(errorBody, { io: 'output' });
    return { schemas: { Error: shape }, responses: Object.fromEntries(this.#named) };
  }
}

function responseOf(errors: readonly RouteError[]): ErrorResponse {
  const codes = errors.map(({ code }) => code);
  return {
    description: errors.map(({ code, about }) => `- \`${code}\`: ${about}`).join('\n'),
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' } },
    },
    'x-error-codes': codes,
  };
}

declare module 'fastify' {
  interface FastifySchema {
    /** The fields of the form that a route accepts besides JSON. Only for the OpenAPI document. */
    form?: z.ZodType;
  }
}

/** Facts about one operation that the library cannot carry. */
interface Described {
  errors: RouteError[];
  hasOptionalBody: boolean;
  form: z.ZodType | undefined;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

const undescribed: Described = { errors: [], hasOptionalBody: false, form: undefined };

const organizationHeader = {
  type: 'object',
  properties: {
    'X-Org-Id': {
      type: 'string',
      description: 'The organization. Without it that of the token, else the caller’s oldest membership.',
    },
  },
};

const openapi = '3.1.0';

/** The addresses of the document. YAML includes JSON, so both have the same bytes. */
const storedTypes = new Map([
  ['/docs/json', 'application/json; charset=utf-8'],
  ['/docs/yaml', 'application/yaml; charset=utf-8'],
]);

interface StoredDocument {
  plain: Buffer;
  br: Buffer;
  gzip: Buffer;
}

async function storeDocument(json: string): Promise<StoredDocument> {
  const plain = Buffer.from(json);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(plain, { params }), promisify(gzip)(plain)]);
  return { plain, br, gzip: gzipped };
}

/** Sends it as the client accepts it, without work for each request. */
function sendStored(stored: StoredDocument, type: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const accepted = (request.headers['accept-encoding'] ?? '').split(',');
  const accepts = (name: string) =>
    accepted.some((one) => {
      const [encoding, ...parameters] = one.split(';').map((part) => part.trim());
      return encoding === name && !parameters.some((parameter) => /^q=0(?:\.0*)?$/u.test(parameter));
    });
  const encoding = (['br', 'gzip'] as const).find(accepts);
  if (encoding !== undefined) void reply.header('content-encoding', encoding);
  return reply
    .type(type)
    .header('vary', 'accept-encoding')
    .send(stored[encoding ?? 'plain']);
}

/** The OpenAPI document, derived from the zod schemas of the routes, and a page for people. */
export const openApi = fastifyPlugin(
  async (app) => {
    const described = new Map<string, Described>();
    const routes: RouteOptions[] = [];
    app.addHook('onRoute', (route) => void routes.push(route));
    const inAdvance = new Map<unknown, ReturnType<typeof jsonSchemaTransform>>();
    /** Conversions of the bodies come first, a step each: the library converts all of them in one. */
    function* documentSteps(): Steps<string> {
      const openapiObject = { openapi };
      for (const route of routes) {
        const { schema = {}, url } = route;
        inAdvance.set(route.schema, jsonSchemaTransform({ schema, url, route, openapiObject }));
        yield;
      }
      const document = app.swagger();
      yield;
      yield* nameSchemas(document as unknown as NameableDocument);
      inAdvance.clear();
      return JSON.stringify(document);
    }
    await app.register(fastifySwagger, {
      openapi: {
        openapi,
        info: {
          title: 'Docwright',
          version: packageInfo.version,
          description: introduction,
          license: { name: packageInfo.license, identifier: packageInfo.license },
        },
        servers: [{ url: '/', description: 'This server.' }],
        tags: openApiTags,
        components: {
          securitySchemes: {
            bearer: { type: 'http', scheme: 'bearer', description: 'A JWT from login, or an access token.' },
            apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'An access token.' },
            cookie: {
              type: 'apiKey',
              in: 'cookie',
              name: 'docwright_session',
              description: 'Set by login. Writes need a same-origin Origin header.',
            },
          },
        },
        security: [{ bearer: [] }, { apiKey: [] }, { cookie: [] }],
      },
      transform: (document) => {
        const { route, url } = document;
        const { url: shownUrl, schema } = inAdvance.get(route.schema) ?? jsonSchemaTransform(document);
        const { errors: _, form, ...shown } = schema;
        described.set(String(shown.operationId), {
          errors: errorsOf(route),
          hasOptionalBody: route.schema?.body instanceof z.ZodOptional,
          form,
        });
        if (route.config?.public === true || !isForPrograms(url))
          return { url: shownUrl, schema: { ...shown, security: [] } };
        return { url: shownUrl, schema: url.startsWith('/v0/') ? shown : { ...shown, headers: organizationHeader } };
      },
      transformObject: (document) => {
        if (!('openapiObject' in document)) return document.swaggerObject;
        const openapiObject = jsonSchemaTransformObject(document) as typeof document.openapiObject;
        const refusals = new ErrorResponses();
        for (const item of Object.values(openapiObject.paths ?? {})) {
          for (const method of methods) {
            const operation = item?.[method];
            if (operation === undefined) continue;
            const { errors, hasOptionalBody, form } = described.get(String(operation.operationId)) ?? undescribed;
            operation.responses = { ...refusals.of(errors), ...operation.responses };
            const body = operation.requestBody;
            if (body === undefined || !('content' in body)) continue;
            if (hasOptionalBody) body.required = false;
            if (form !== undefined)
              Object.assign(body.content, { 'multipart/form-data': { schema: jsonSchemaOf(form) } });
          }
        }
        const { schemas, responses } = refusals.components;
        const { components } = openapiObject;
        const named = {
          ...openapiObject,
          components: { ...components, schemas: { ...components?.schemas, ...schemas }, responses },
        };
        return named as typeof openapiObject;
      },
    });
    let stored: Promise<StoredDocument> | undefined;
    const { fastifySwaggerUi } = await import('@fastify/swagger-ui');
    await app.register(fastifySwaggerUi, {
      routePrefix: '/docs',
      uiConfig: { layout: 'BaseLayout', docExpansion: 'list' },
      uiHooks: {
        onRequest: (request, reply, done) => {
          const type = storedTypes.get(request.routeOptions.url ?? '');
          if (type === undefined) return done();
          stored ??= inTurns(documentSteps()).then(storeDocument);
          stored.then((document) => sendStored(document, type, request, reply), done);
        },
      },
    });
  },
  { name: 'open-api' },
);

function jsonSchemaOf(schema: z.ZodType): object {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input' });
  return shape;
}
