import type { FastifyPluginAsync } from 'fastify';
import { create as contentDisposition } from 'content-disposition';
import { routesOf } from '../../platform/http/route.ts';
import { requireWriter, type Actor } from '../identity/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { exportResults, exportFormatOf } from './result-export.ts';
import type { ResultService } from './result-service.ts';
import type { SavedViews } from './saved-views/saved-view-repository.ts';
import type { ReadSchemaUse } from './schema-use-service.ts';

/** Results of a prompt over many documents. */
export const resultRoutes: FastifyPluginAsync<{
  services: {
    results: (actor: Actor) => ResultService;
    savedViews: (actor: Actor) => SavedViews;
    schemaUse: (actor: Actor) => ReadSchemaUse;
  };
  streams: StreamAdmission;
}> = async (app, { services: { results, savedViews, schemaUse }, streams }) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/prompts/:prompt_id/results', async (request, reply) => {
    const service = results(request.actor);
    const { prompt_id } = request.params;
    const format = exportFormatOf(request.headers.accept);
    void reply.header('vary', 'accept, cookie, authorization');
    if (format === undefined) return await service.query(prompt_id, request.query);
    const { cursor: _cursor, position: _position, limit: _limit, ...query } = request.query;
    const found = await service.export(prompt_id, query);
    const file = exportResults(found, format);
    streams.download(request, reply);
    return reply
      .type(file.type)
      .header('content-disposition', contentDisposition(`${found.name}.${file.extension}`))
      .send(file.body);
  });

  route('GET /v0/orgs/:org_id/prompts/:prompt_id/results/summary', ({ actor, params, query }) =>
    results(actor).summary(params.prompt_id, query),
  );
  route('GET /v0/orgs/:org_id/prompts/:prompt_id/views', ({ actor, params }) =>
    savedViews(actor).list(params.prompt_id),
  );

  route('POST /v0/orgs/:org_id/prompts/:prompt_id/views', async ({ actor, params, body }) => {
    requireWriter(actor);
    return await savedViews(actor).save(params.prompt_id, body);
  });

  route('GET /v0/orgs/:org_id/schemas/:id/use', async ({ actor, params }) => await schemaUse(actor)(params.id));

  route('DELETE /v0/orgs/:org_id/prompts/:prompt_id/views/:view_id', async ({ actor, params }) => {
    requireWriter(actor);
    await savedViews(actor).remove(params.prompt_id, params.view_id);
  });
};
