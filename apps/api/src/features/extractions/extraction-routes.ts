import { csvType, DomainError, extractionCsvLines, type Extraction } from '@docwright/contract';
import type { FastifyReply, FastifyRequest, FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import { eachInSteps, inTurns } from '../../platform/long-values/in-turns.ts';
import type { Actor } from '../identity/index.ts';
import type { ExtractionService } from './extraction-service.ts';

export const extractionRoutes: FastifyPluginAsync<{
  services: { extractions: (actor: Actor) => ExtractionService };
}> = async (app, { services: { extractions } }) => {
  const route = routesOf(app);
  route('POST /v0/orgs/:org_id/documents/:document_id/extractions', async ({ actor, params, body }) => {
    const { document_id } = params;
    const { prompt_revid, replace, base_version } = body ?? {};
    const run = extractions(actor).run(document_id, prompt_revid, undefined, app.closing, replace, base_version);
    return await run.catch((error: unknown) => {
      if (!app.closing.aborted) throw error;
      throw new DomainError(
        'not_ready',
        'server_stopping',
        'The server is stopping. The extraction resumes by itself when a server is available.',
      );
    });
  });

  route('GET /v0/orgs/:org_id/documents/:document_id/extractions', ({ actor, params, query }) =>
    extractions(actor).list(params.document_id, query),
  );

  route('GET /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid', async (request, reply) => {
    const { document_id, prompt_revid } = request.params;
    const found = await extractions(request.actor).get(document_id, prompt_revid);
    return wantsCsv(request) ? await sendCsv(reply, found) : found;
  });

  route('PATCH /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid', async ({ actor, params, body }) => {
    const { document_id, prompt_revid } = params;
    const { path, value, base_version } = body;
    return await extractions(actor).updateField(document_id, prompt_revid, { path, value, base_version });
  });

  route(
    'PUT /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/verification',
    async ({ actor, params, body }) => {
      const { document_id, prompt_revid } = params;
      const { is_verified, ...look } = body;
      return await extractions(actor).setVerified(document_id, prompt_revid, is_verified, undefined, look);
    },
  );

  route(
    'GET /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/versions',
    async ({ actor, params, query }) => {
      const { document_id, prompt_revid } = params;
      return await extractions(actor).versions(document_id, prompt_revid, query);
    },
  );

  route(
    'GET /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/versions/:version',
    async (request, reply) => {
      const { document_id, prompt_revid, version } = request.params;
      const found = await extractions(request.actor).version(document_id, prompt_revid, version);
      return wantsCsv(request) ? await sendCsv(reply, found) : found;
    },
  );

  route(
    'POST /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/versions/:version/restore',
    async ({ actor, params, body }) => {
      const { document_id, prompt_revid, version } = params;
      return await extractions(actor).restore(document_id, prompt_revid, version, undefined, body?.base_version);
    },
  );
};

function wantsCsv({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/csv') === true;
}

async function sendCsv(
  reply: FastifyReply,
  found: Pick<Extraction, 'result' | 'grounding' | 'issues' | 'is_complete'>,
): Promise<FastifyReply> {
  let lines: string[] = [];
  const parts: Buffer[] = [];
  const write = (line: string): void => {
    lines.push(line);
    if (lines.length < linesOfPart) return;
    parts.push(Buffer.from(`${lines.join('\r\n')}\r\n`));
    lines = [];
  };
  await inTurns(eachInSteps(extractionCsvLines(found), write));
  return reply.type(csvType).send(Buffer.concat([...parts, Buffer.from(lines.join('\r\n'))]));
}

const linesOfPart = 500;
