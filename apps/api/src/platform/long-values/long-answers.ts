import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { z } from 'zod';
import { whenClosed } from '../streams/when-closed.ts';
import { encodeSteps } from './encode-steps.ts';
import { inTurns } from './in-turns.ts';
import { createFairPlaces } from '../places/fair-places.ts';
import { isLongValue, longJson } from './long-json.ts';

/**
 * Each long answer takes about 150 MB while it is made, and all are made on one thread, so that more at once are no faster.
 * Of an organization at most a third, so that it delays another's little.
 */
const places = { inAll: 6, ofParty: 2 };

/** Routes that return whole results. Streams are not among them: each would keep its place until it is closed. */
const ofResults = /\/documents\/:document_id\/extractions(?:\/:prompt_revid(?:\/versions(?:\/:version)?)?)?$/u;

function readsResults({ method, routeOptions: { url = '' } }: FastifyRequest): boolean {
  return method === 'GET' && ofResults.test(url);
}

/** Checks and writes long answers between turns of other requests: the framework would do both at once. */
export const longAnswers = fastifyPlugin(
  async (app) => {
    const enter = createFairPlaces(places);
    const leaving = new WeakMap<FastifyRequest, () => void>();
    app.addHook('preHandler', async (request, reply) => {
      if (!readsResults(request)) return;
      const leave = await enter(request.actor.organizationId);
      leaving.set(request, leave);
      whenClosed(reply.raw, leave);
    });
    // The value is bytes by now: a slow reader keeps no place.
    app.addHook('onSend', async (request) => leaving.get(request)?.());
    app.addHook('preSerialization', async (request, reply, payload) => {
      if (!isLongValue(payload)) return payload;
      const schema = answerSchema(request, reply.statusCode);
      const answer = schema === undefined ? payload : await inTurns(encodeSteps(schema, payload));
      const json = Buffer.concat(await longJson(answer));
      // The bytes are sent as they are.
      reply.serializer((written: unknown) => written as string);
      return json;
    });
  },
  { name: 'long-answers' },
);

function answerSchema({ routeOptions }: FastifyRequest, status: number): z.ZodType | undefined {
  const answers = (routeOptions.schema?.response ?? {}) as Record<string, unknown>;
  const found = answers[status] ?? answers[`${String(status)[0]}xx`] ?? answers['default'];
  const { content } = (found ?? {}) as { content?: Record<string, { schema: unknown }> };
  const schema = content === undefined ? found : content['application/json']?.schema;
  return schema instanceof z.ZodType ? schema : undefined;
}
