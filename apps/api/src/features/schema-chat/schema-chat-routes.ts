import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import { whenClosed } from '../../platform/streams/when-closed.ts';
import { acceptedLanguage } from '../../platform/http/accepted-language.ts';
import type { TurnAdmission } from '../turn-admission/index.ts';
import type { SchemaChatService } from './schema-chat-service.ts';

/** The history contains images. */
const bodyLimit = 15 * 1024 * 1024;

interface SchemaChatRouteOptions {
  services: { schemaChat: SchemaChatService };
  admission: TurnAdmission;
}

/** The stateless assistant that designs the columns of a schema. */
export const schemaChatRoutes: FastifyPluginAsync<SchemaChatRouteOptions> = async (
  app,
  { services: { schemaChat }, admission },
) => {
  const route = routesOf(app);
  route('POST /api/schema-chat', { bodyLimit }, async (request, reply) => {
    const { actor, body } = request;
    const disconnected = new AbortController();
    whenClosed(reply.raw, () => disconnected.abort());
    // The model is stopped if the client disconnects or the server shuts down.
    const signal = AbortSignal.any([disconnected.signal, app.closing]);
    if (body.mode === 'execute') return await schemaChat.execute(actor, body, signal);
    const run = await admission.run(request, reply, async () => ({
      answer: schemaChat.chat(actor, { ...body, ...acceptedLanguage(request) }, signal),
    }));
    return await run.answer;
  });
};
