import { schemaChatAnswer, schemaChatBody, schemaExecuteAnswer, modelFailures } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { TurnAdmission } from '../turn-admission/index.ts';
import type { SchemaChatService } from './schema-chat-service.ts';

const tags = ['schema chat'];
/** Images come with the history. */
const bodyLimit = 15 * 1024 * 1024;

interface SchemaChatRouteOptions {
  services: { schemaChat: SchemaChatService };
  admission: TurnAdmission;
}

/** The stateless assistant that designs the columns of a schema. */
export const schemaChatRoutes: FastifyPluginAsyncZod<SchemaChatRouteOptions> = async (
  app,
  { services: { schemaChat }, admission },
) => {
  app.post(
    '/api/schema-chat',
    {
      bodyLimit,
      schema: {
        tags,
        operationId: 'designSchema',
        summary: 'Design the columns of a schema',
        description: [
          'Stateless: the client holds history and columns, and applies results. The organization is that of `X-Org-Id`, else the token’s, else the oldest membership. Nothing is stored.',
          '`mode: "chat"` asks the model. What only reads runs at once (`autoExecuteResults`, by call id); changes come back as `pendingTools`, questions and wishes for an image as `questions` and `imageRequests`, each with the `tool_call_id` that the tool message with its answer names. All questions of one call are answered by one tool message, best as JSON `{ "answers": [{ "question_id", "option_ids", "other"? }] }`. Append `newMessages`, then the tool messages of execute and of the answers, in any order; a call without a result is completed by the server. `shouldContinue` is true where the round limit cut the work off while nothing waits: ask again at once. `documentAnalyses` take the place of the client’s.',
          'Images are parts `{ "type": "image_url", "image_url": { "url": "data:image/png;base64,…" } }` (PNG, JPEG, WebP, GIF; 5 MB each, 8 in a request) of a person’s message or of a tool message; they reach the model as image parts.',
          '`mode: "execute"` runs what was decided, in order, and asks no model. A call that breaks a rule fails alone: a name that is taken (ignoring case), arguments that do not fit, an `id` among the updates, a regex that is invalid, needs look-around or back references, or could backtrack without bound. `success` is whether every approved call ran. Calls of viewers that change something never run.',
          'A flag of `featureFlags` that has the name of a tool and is `false` withdraws that tool: the model is not offered it, and a decided call of it fails. Other flags are the client’s own and come back in `flagsWithoutEffect`. `settings.model` is another name of `settings.modelName`.',
          '`settings.endpoint` may be the operator’s own, one of the organization’s providers’, or a host of `LLM_ALLOWED_HOSTS`; `settings.apiKey` is sent there alone, never stored or logged. Without a key an endpoint of the organization is used with its own key and enabled models. Without an endpoint: a model of the organization, the default where `modelName` is empty or left out.',
        ].join('\n\n'),
        body: schemaChatBody.meta({
          examples: [
            {
              mode: 'chat',
              messages: [{ role: 'user', content: 'Columns for invoices, please.' }],
              projectId: 'my-columns',
              settings: {},
              currentColumns: [],
            },
          ],
        }),
        errors: [
          'base_url_refused',
          'invalid.decided_twice',
          'duplicate_column',
          'endpoint_refused',
          'image_refused',
          'model_not_enabled',
          'model_required',
          'no_message',
          'not_an_approval_tool',
          'turn_timeout',
          'stopped',
          'too_many_turns',
          ...modelFailures,
        ],
        response: { 200: z.union([schemaChatAnswer, schemaExecuteAnswer]) },
      },
    },
    async (request, reply) => {
      const { actor, body } = request;
      const left = new AbortController();
      reply.raw.once('close', () => left.abort());
      // Nobody is there any more, or the server is about to go: a model is not waited for.
      const signal = AbortSignal.any([left.signal, app.closing]);
      if (body.mode === 'execute') return await schemaChat.execute(actor, body, signal);
      const run = await admission.run(request, reply, async () => ({
        answer: schemaChat.chat(actor, body, signal),
      }));
      return await run.answer;
    },
  );
};
