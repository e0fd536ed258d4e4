import { field, modelOf, recordSchema } from '../../../platform/records/record-model.ts';

/** The session behind a JWT, so that logging out ends it everywhere. */
const sessionSchema = recordSchema(
  {
    user_id: field.objectId,
    expires_at: field.date,
    user_agent: field.text.optional(),
    address: field.text.optional(),
    /** Whether the sign-in used a second factor. */
    second_factor: field.flag.optional(),
  },
  { collection: 'sessions' },
);
sessionSchema.index({ user_id: 1 });
sessionSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const sessionModel = modelOf('Session', sessionSchema);
