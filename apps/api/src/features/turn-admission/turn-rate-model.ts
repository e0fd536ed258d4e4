import { field, modelOf, recordSchema } from '../../platform/records/record-model.ts';

/** The turns of an organization within one minute. */
const turnRateSchema = recordSchema(
  {
    /** The organization and the minute. */
    _id: field.text,
    count: field.number,
    /** By user id. */
    people: field.mixed<Record<string, number>>(),
    expires_at: field.date,
  },
  { collection: 'turn_rates' },
);
turnRateSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const turnRateModel = modelOf('TurnRate', turnRateSchema);
