import { fastifySwagger } from '@fastify/swagger';
import fastifyPlugin from 'fastify-plugin';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import packageInfo from '../../../package.json' with { type: 'json' };
import { errorsOf, isForPrograms, type RouteError } from '../app/route-errors.ts';
import { ErrorResponses } from './error-responses.ts';
import { introduction, openApiTags } from './open-api-words.ts';

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

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
    const errorsOfOperation = new Map<string, RouteError[]>();
    await app.register(fastifySwagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'Docwright',
          version: packageInfo.version,
          description: introduction,
          license: { name: packageInfo.license, identifier: packageInfo.license },
        },
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
        const { errors: _, ...shown } = schema;
        errorsOfOperation.set(String(shown.operationId), errorsOf(route));
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
            const errors = errorsOfOperation.get(String(operation.operationId)) ?? [];
            operation.responses = { ...refusals.of(errors), ...operation.responses };
          }
        }
        const { schemas, responses } = refusals.components;
        const { components } = openapiObject;
        return {
          ...openapiObject,
          components: { ...components, schemas: { ...components?.schemas, ...schemas }, responses },
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
