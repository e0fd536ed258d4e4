import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { z } from 'zod';
import { encodeSteps } from './encode-steps.ts';
import { inTurns } from './in-turns.ts';
import { isLongValue, longJson } from './long-json.ts';

/** Checks and writes long answers between turns of other requests: the framework would do both at once. */
export const longAnswers = fastifyPlugin(
  async (app) => {
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
