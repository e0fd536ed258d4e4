import type { FastifySchema } from 'fastify';

/**
 * Describes the operations of one area: its name is the tag of each in the OpenAPI document.
 *
 * @example
 * const operation = operationsOf('tags');
 * app.get('/v0/orgs/:org_id/tags', operation({ operationId: 'listTags', summary: 'List tags', params, response }), list);
 */
export function operationsOf(area: string) {
  return <Schema extends FastifySchema>(schema: Schema): { schema: Schema & { tags: string[] } } => ({
    schema: { tags: [area], ...schema },
  });
}
