import { field, modelOf, recordSchema } from '../../../platform/records/record-model.ts';

/** A user's second factor; its id is the user's. */
const secondFactorSchema = recordSchema(
  {
    /** The authenticator app's encrypted secret; absent until it is confirmed. */
    secret: field.text.optional(),
    enabled_at: field.date.optional(),
    /** The time step of the last accepted code, so that no code works twice. */
    last_step: field.number.optional(),
    /** Keyed hashes of the unused recovery codes. */
    recovery_hashes: field.text.list(),
    /** An encrypted secret that was shown but not confirmed. */
    pending_secret: field.text.optional(),
    pending_until: field.date.optional(),
  },
  { collection: 'second_factors' },
);

export const secondFactorModel = modelOf('SecondFactor', secondFactorSchema);
