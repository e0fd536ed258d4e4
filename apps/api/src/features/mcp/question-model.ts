import { field, modelOf, recordSchema } from '../../platform/records/record-model.ts';

/** A question from a process to a client, and the answer, which another process might receive. */
const questionSchema = recordSchema(
  {
    /** The unguessable id of the request to the client. */
    _id: field.text,
    /** The user, with the session or access token under which the client was asked. */
    credential: field.text,
    /** The JSON-RPC response. */
    answer: field.text.optional(),
    expires_at: field.date,
  },
  { collection: 'mcp_questions' },
);
questionSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const questionModel = modelOf('McpQuestion', questionSchema);
