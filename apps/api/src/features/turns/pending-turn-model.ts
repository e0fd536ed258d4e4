import { field, modelOf, recordSchema } from '../../platform/records/record-model.ts';

/** How long an expired turn is stored, so that a late decision is answered with `turn_expired`. */
const rememberedSeconds = 7 * 24 * 60 * 60;

const pendingTurnSchema = recordSchema(
  {
    _id: field.text,
    organization_id: field.text,
    document_id: field.text,
    user_id: field.text,
    /** The whole turn as JSON: its arguments and results have arbitrary field names. */
    turn: field.text,
    expires_at: field.date,
  },
  { collection: 'agent_waiting_turns' },
);
pendingTurnSchema.index({ expires_at: 1 }, { expireAfterSeconds: rememberedSeconds });

export const pendingTurnModel = modelOf('WaitingTurn', pendingTurnSchema);
