import { errorBody } from '@docwright/contract';
import { fastifySwagger } from '@fastify/swagger';
import fastifyPlugin from 'fastify-plugin';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import packageInfo from '../../../package.json' with { type: 'json' };

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const refusal = {
  description: 'What is wrong and how to mend it. A 5xx never shows anything internal.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

/** The OpenAPI document, derived from the zod schemas of the routes, and a page for people. */
export const openApi = fastifyPlugin(
  async (app) => {
    await app.register(fastifySwagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'Docwright',
          version: packageInfo.version,
          description:
            'A document workbench with an agent. Bodies are JSON in snake_case, ids have 24 hex digits, times are ISO 8601 in UTC. Lists take `skip` and `limit`. What is not there and what is not yours are both 404. An error’s `code` is stable: beside those that a route names, a `4XX` may be 400 `malformed_json`; 401 `not_signed_in` or `bad_credentials`; 403 `viewer_cannot_write` or another right that is missing; 404 `not_found` or the thing’s own, such as `tag_not_found`; 413 `body_too_large`; 415 `unsupported_media_type`; 422 `invalid_request`, with what does not fit in `details` (`in`, `path`, `message`); 429 `too_many_requests` with `Retry-After`.',
        },
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
        const transformed = jsonSchemaTransform(document);
        const open = document.route.config?.public === true || !/^\/(v0\/|api\/|mcp$)/.test(document.url);
        return open ? { ...transformed, schema: { ...transformed.schema, security: [] } } : transformed;
      },
      transformObject: (document) => {
        if (!('openapiObject' in document)) return document.swaggerObject;
        const openapiObject = jsonSchemaTransformObject(document) as typeof document.openapiObject;
        for (const [path, item] of Object.entries(openapiObject.paths ?? {})) {
          if (!/^\/(v0\/|api\/|mcp$)/.test(path)) continue;
          for (const method of methods) {
            const operation = item?.[method];
            if (operation !== undefined)
              operation.responses = { ...operation.responses, '4XX': refusal, '5XX': refusal };
          }
        }
        const { $schema: _, ...error } = z.toJSONSchema(errorBody, { io: 'output' });
        return {
          ...openapiObject,
          components: { ...openapiObject.components, schemas: { ...openapiObject.components?.schemas, Error: error } },
        } as typeof openapiObject;
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
