import {
  estimateExtractionBody,
  extractionEstimate,
  extractionEvent,
  extractionProgress,
  objectId,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { pollInTurn } from '../../../platform/places/polls.ts';
import { operationsOf } from '../../../platform/http/operation.ts';
import { sendEvents } from '../../../platform/streams/event-stream.ts';
import type { Actor } from '../../identity/index.ts';
import type { StreamAdmission } from '../../stream-admission/index.ts';
import { extractionEvents, requireFollowable } from './extraction-events.ts';
import type { ExtractionRuns } from './extraction-runs.ts';

const operation = operationsOf('extractions');
const documentPath = z.object({ org_id: objectId, document_id: objectId });
const extractionPath = documentPath.extend({ prompt_revid: objectId });

/** Estimates, follows and stops extractions. */
export const extractionRunRoutes: FastifyPluginAsyncZod<{
  services: { extractionRuns: (actor: Actor) => ExtractionRuns };
  streams: StreamAdmission;
}> = async (app, { services: { extractionRuns }, streams }) => {
  app.post(
    '/v0/orgs/:org_id/documents/:document_id/extractions/estimate',
    operation({
      operationId: 'estimateExtraction',
      summary: 'Estimate what an extraction would take',
      description:
        'Nothing runs. `requests` is one for a document that fits into one request; a long one is read in pieces, and each is counted twice for a prompt that reads twice. `spu_estimated` counts each request once: answers that do not fit the schema and pieces that are asked again come on top.',
      params: documentPath,
      body: estimateExtractionBody.nullish(),
      errors: [
        'model_not_enabled',
        'no_prompt',
        'unknown_reference',
        'document_not_found',
        'document_has_no_text',
        'document_not_read_yet',
      ],
      response: { 200: extractionEstimate },
    }),
    async (request) => {
      const { document_id } = request.params;
      return await extractionRuns(request.actor).estimate(document_id, request.body?.prompt_revid);
    },
  );

  app.get(
    '/v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/events',
    {
      sse: 'manual',
      ...operation({
        operationId: 'followExtraction',
        summary: 'Follow an extraction (SSE)',
        description:
          'Events `progress` while it runs, each with the pieces that were read since the last one, and one `end` with `is_complete` and `issues`. For an extraction that has ended, only `end` is sent. The stream can be opened up to three seconds before the extraction starts.',
        params: extractionPath,
        errors: ['document_not_found', 'extraction_not_found', 'too_many_streams'],
        response: {
          200: { description: 'The events.', content: { 'text/event-stream': { schema: extractionEvent } } },
        },
      }),
    },
    async (request, reply) => {
      const { document_id, prompt_revid } = request.params;
      const service = extractionRuns(request.actor);
      const polled: typeof service = {
        ...service,
        progress: (...args) => pollInTurn(request.actor, () => service.progress(...args)),
        pieces: (...args) => pollInTurn(request.actor, () => service.pieces(...args)),
      };
      await requireFollowable(polled, document_id, prompt_revid);
      await sendEvents(reply, streams.stream(request, reply), (signal) =>
        extractionEvents(polled, document_id, prompt_revid, signal),
      );
    },
  );

  app.post(
    '/v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/stop',
    operation({
      operationId: 'stopExtraction',
      summary: 'Stop an extraction',
      description:
        'The run ends within about a second, whichever process works on it, and answers its own request with 409 `extraction_stopped`. Nothing of it is kept: a former result stays as it was.',
      params: extractionPath,
      errors: ['viewer_cannot_write', 'document_not_found', 'extraction_not_running'],
      response: { 200: extractionProgress },
    }),
    async (request) => {
      const { document_id, prompt_revid } = request.params;
      return await extractionRuns(request.actor).stop(document_id, prompt_revid);
    },
  );
};
