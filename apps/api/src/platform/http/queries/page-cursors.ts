import { pageQuery } from '@docwright/contract';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { z } from 'zod';
import { cursorMark, withMark, withoutMark } from '../../database/marked-cursors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for lists that page by cursor. */
    hasCursors?: true;
  }
}

/** Marks the cursors of all lists with their path and filter, and takes the mark off those of requests. */
export const pageCursors = fastifyPlugin(
  async (app) => {
    app.addHook('onRoute', (route) => {
      // Routes share their config with others.
      if (pagesByCursor(route.schema)) route.config = { ...route.config, hasCursors: true };
    });
    app.addHook('preHandler', async (request) => {
      const query = request.query as { cursor?: string };
      if (request.routeOptions.config.hasCursors !== true || query.cursor === undefined) return;
      query.cursor = withoutMark(markOfRequest(request), query.cursor);
    });
    app.addHook('preSerialization', async (request, _reply, payload) => {
      const answer = (payload ?? {}) as { next_cursor?: string };
      const isMarked = request.routeOptions.config.hasCursors === true && answer.next_cursor !== undefined;
      return isMarked ? withMark(markOfRequest(request), answer) : payload;
    });
  },
  { name: 'page-cursors' },
);

/** Whether the query of a route has the `cursor` of lists. */
export function pagesByCursor(schema: { querystring?: unknown } | undefined): boolean {
  const query = schema?.querystring;
  return query instanceof z.ZodObject && query.shape['cursor'] === pageQuery.shape.cursor;
}

/** The events of a list take its query. */
function markOfRequest({ url, query }: FastifyRequest): string {
  const filter = Object.entries(query as object).filter(([name]) => !Object.hasOwn(pageQuery.shape, name));
  return cursorMark(url.split('?')[0]!.replace(/\/events$/u, ''), Object.fromEntries(filter));
}
