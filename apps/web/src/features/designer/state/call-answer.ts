import type { CallAnswers, SchemaChatMessage } from '@docwright/contract';

export type CallResult = SchemaChatMessage & { role: 'tool'; tool_call_id: string };

/** The user's answers as the result of a call. */
export const answersResult = (tool_call_id: string, answers: CallAnswers['answers']): CallResult => ({
  role: 'tool',
  tool_call_id,
  content: JSON.stringify({ answers }),
});

export const skippedResult = (tool_call_id: string): CallResult => ({
  role: 'tool',
  tool_call_id,
  content: JSON.stringify({ skipped: true, message: 'No answer given.' }),
});

export const imageResult = (tool_call_id: string, url: string): CallResult => ({
  role: 'tool',
  tool_call_id,
  content: [
    { type: 'text', text: 'The example image:' },
    { type: 'image_url', image_url: { url } },
  ],
});
