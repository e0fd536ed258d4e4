import { fastifySwagger } from '@fastify/swagger';
import fastifyPlugin from 'fastify-plugin';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import packageInfo from '../../../../package.json' with { type: 'json' };
import { errorsOf, isForPrograms, type RouteError } from '../route-errors.ts';
import { ErrorResponses } from './error-responses.ts';
import { nameSchemas, type NameableDocument } from './named-schemas.ts';
import { introduction, openApiTags } from './open-api-words.ts';

declare module 'fastify' {
  interface FastifySchema {
    /** Of a route that takes a form as well as JSON: its fields. For the document alone. */
    form?: z.ZodType;
  }
}

/** What the library has no place for, of one operation. */
interface Described {
  errors: RouteError[];
  mayLackBody: boolean;
  form: z.ZodType | undefined;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

const nothing: Described = { errors: [], mayLackBody: false, form: undefined };

const organizationHeader = {
  type: 'object',
  properties: {
    'X-Org-Id': {
      type: 'string',
      description: 'The organization. Without it that of the token, else the one that one has belonged to for longest.',
    },
  },
};

/** The OpenAPI document, derived from the zod schemas of the routes, and a page for people. */
export const openApi = fastifyPlugin(
  async (app) => {
    const described = new Map<string, Described>();
    await app.register(fastifySwagger, {
      openapi: {
        openapi: '3.1.0',
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
        const { url: shownUrl, schema } = jsonSchemaTransform(document);
        const { errors: _, form, ...shown } = schema;
        described.set(String(shown.operationId), {
          errors: errorsOf(route),
          mayLackBody: route.schema?.body instanceof z.ZodOptional,
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
            const { errors, mayLackBody, form } = described.get(String(operation.operationId)) ?? nothing;
            operation.responses = { ...refusals.of(errors), ...operation.responses };
            const body = operation.requestBody;
            if (body === undefined || !('content' in body)) continue;
            if (mayLackBody) body.required = false;
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
        nameSchemas(named as unknown as NameableDocument);
        return named as typeof openapiObject;
      },
    });
    const { fastifySwaggerUi } = await import('@fastify/swagger-ui');
    await app.register(fastifySwaggerUi, {
      routePrefix: '/docs',
      uiConfig: { layout: 'BaseLayout', docExpansion: 'list' },
    });
  },
  { name: 'open-api' },
);

function jsonSchemaOf(schema: z.ZodType): object {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input' });
  return shape;
}
