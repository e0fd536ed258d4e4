import mongoose, { type Connection, type Model } from 'mongoose';

interface PendingTurnRecord {
  _id: string;
  organization_id: string;
  document_id: string;
  user_id: string;
  /** The whole turn as JSON: its arguments and results have arbitrary field names. */
  turn: string;
  expires_at: Date;
}

/** How long an expired turn is stored, so that a late decision is answered with `turn_expired`. */
const rememberedSeconds = 7 * 24 * 60 * 60;

const text = { type: String, required: true };

const pendingTurnSchema = new mongoose.Schema<PendingTurnRecord>(
  {
    _id: text,
    organization_id: text,
    document_id: text,
    user_id: text,
    turn: text,
    expires_at: { type: Date, required: true },
  },
  { collection: 'agent_waiting_turns', versionKey: false, autoIndex: false },
);
pendingTurnSchema.index({ expires_at: 1 }, { expireAfterSeconds: rememberedSeconds });

export function pendingTurnModel(connection: Connection): Model<PendingTurnRecord> {
  return connection.models['WaitingTurn'] ?? connection.model<PendingTurnRecord>('WaitingTurn', pendingTurnSchema);
}
