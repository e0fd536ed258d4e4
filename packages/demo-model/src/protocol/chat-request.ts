import { z } from 'zod';

const textPart = z.looseObject({ type: z.string(), text: z.string().optional() });

/** A string, or an array of parts, whose texts are joined. */
const content = z
  .union([z.string(), z.array(textPart), z.null()])
  .optional()
  .transform((value) => {
    if (typeof value === 'string') return value;
    return (value ?? []).map((part) => part.text ?? '').join('');
  });

const toolCall = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content,
  tool_calls: z.array(toolCall).nullish(),
  tool_call_id: z.string().nullish(),
});

const jsonSchema = z.record(z.string(), z.unknown());

const tool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string().min(1),
    description: z.string().optional(),
    parameters: jsonSchema.optional(),
  }),
});

const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }),
]);

const responseFormat = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({ name: z.string().optional(), schema: jsonSchema }),
  }),
]);

/** The part of OpenAI's chat completion request that the rules read. Sampling settings are accepted without effect. */
export const chatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: responseFormat.nullish(),
  logprobs: z.boolean().nullish(),
});

export type CompletionRequest = z.infer<typeof chatRequest>;
