import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { modelFailures } from '../base/error-codes.ts';
import { schemaChatAnswer, schemaChatBody, schemaExecuteAnswer } from './schema-chat.ts';

export const schemaChatOperations = describeOperations('schema chat', {
  'POST /api/schema-chat': {
    operationId: 'designSchema',
    summary: 'Design the columns of a schema',
    description: [
      'Stateless: the client stores history and columns and applies the results; the server stores nothing. The organization is that of `X-Org-Id`, else that of the token, else the oldest membership.',
      '`mode: "chat"` asks the model. Read-only calls run at once (`autoExecuteResults`, by call id); changes are returned as `pendingTools`, questions as `questions` and requests for images as `imageRequests`, each with the `tool_call_id` that its tool message must have. One tool message answers all questions of one call, best as JSON `{ "answers": [{ "question_id", "option_ids", "other"? }] }`. Append `newMessages`, then the tool messages of execute and of the answers, in any order; the server completes calls without a result. `shouldContinue` is true if the round limit was reached and nothing is pending: send the next request at once. `documentAnalyses` replace those of the client.',
      'Images are parts `{ "type": "image_url", "image_url": { "url": "data:image/png;base64,…" } }` (PNG, JPEG, WebP, GIF; 5 MB each, 8 in a request) of a user message or a tool message; the model receives them as image parts.',
      '`mode: "execute"` runs decided calls in order and asks no model. A call that breaks a rule fails alone: a name that exists (ignoring case), invalid arguments, an `id` among the updates, a regex that is invalid, needs look-around or back references, or could backtrack without bound. `success` is true if every approved call succeeded. Changes by viewers never run.',
      'A flag of `featureFlags` with the name of a tool and the value `false` removes that tool: the model is not offered it, and a decided call of it fails. Other flags belong to the client and are returned in `flagsWithoutEffect`. `settings.model` is an alias of `settings.modelName`.',
      '`settings.endpoint` can be the operator’s own, one of the organization’s providers, or a host of `LLM_ALLOWED_HOSTS`; `settings.apiKey` is sent only there, never stored or logged. Without a key, an endpoint of the organization is used with its own key and enabled models. Without an endpoint, a model of the organization is used, by default its default model.',
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
});
