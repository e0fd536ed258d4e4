import { DomainError } from '@docwright/contract';
import type { RouteOptions } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { z } from 'zod';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The query parameters that the route takes; others are refused. Without it, they are ignored. */
    queryParameters?: readonly string[];
  }
}

/**
 * Refuses requests with a query parameter that the operation does not describe. A misspelt filter, or one with brackets
 * such as `tag_ids[$ne]=1`, would otherwise be ignored, and the list would hold everything.
 */
export const knownParameters = fastifyPlugin(
  async (app) => {
    app.addHook('onRoute', (route) => {
      if (!refusesUnknownParameters(route.url)) return;
      // Routes share their config with others.
      route.config = { ...route.config, queryParameters: parametersOf(route) };
    });
    app.addHook('preValidation', async ({ query, routeOptions }) => {
      const names = routeOptions.config.queryParameters;
      if (names === undefined) return;
      const unknown = Object.keys(query as object).find((name) => !names.includes(name));
      if (unknown === undefined) return;
      const parameter = unknown.slice(0, 100);
      const takes = names.length === 0 ? 'no parameters' : names.join(', ');
      const message = `The query has an unknown parameter ${JSON.stringify(parameter)}. This route takes ${takes}.`;
      throw new DomainError('invalid', 'unknown_parameter', message, { parameter, known: names });
    });
  },
  { name: 'known-parameters' },
);

/** The standard of OAuth has servers ignore parameters that they do not know, and that of MCP describes no query. */
export function refusesUnknownParameters(url: string): boolean {
  return /^\/(?:v0|api)\//u.test(url) && !url.startsWith('/v0/oauth/');
}

function parametersOf({ method, url, schema }: RouteOptions): readonly string[] {
  const query = schema?.querystring;
  if (query === undefined) return [];
  if (query instanceof z.ZodType) {
    const { properties } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
    if (properties !== undefined) return Object.keys(properties);
  }
  throw new Error(`The query of ${String(method)} ${url} is not described as an object.`);
}
