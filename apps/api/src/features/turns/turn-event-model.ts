import { field, modelOf, recordSchema } from '../../platform/records/record-model.ts';

/** Events of a turn that were stored together, as the frames they are sent in. */
const turnEventsSchema = recordSchema(
  {
    organization_id: field.objectId,
    turn_id: field.objectId,
    first_id: field.number,
    last_id: field.number,
    frames: field.text,
    expires_at: field.date,
  },
  { collection: 'agent_turn_events' },
);
turnEventsSchema.index({ organization_id: 1, turn_id: 1, first_id: 1 }, { unique: true });
turnEventsSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const turnEventsModel = modelOf('TurnEvents', turnEventsSchema);
