import mongoose, { type Connection, type Model, type Types } from 'mongoose';

/** Events of a turn that were stored together, as the frames they are sent in. */
interface TurnEventsRecord {
  _id: Types.ObjectId;
  turn_id: Types.ObjectId;
  first_id: number;
  last_id: number;
  frames: string;
  expires_at: Date;
}

const number = { type: Number, required: true };

const turnEventsSchema = new mongoose.Schema<TurnEventsRecord>(
  {
    turn_id: { type: mongoose.Schema.Types.ObjectId, required: true },
    first_id: number,
    last_id: number,
    frames: { type: String, required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: 'agent_turn_events', versionKey: false, autoIndex: false },
);
turnEventsSchema.index({ turn_id: 1, first_id: 1 }, { unique: true });
turnEventsSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export function turnEventsModel(connection: Connection): Model<TurnEventsRecord> {
  return connection.models['TurnEvents'] ?? connection.model<TurnEventsRecord>('TurnEvents', turnEventsSchema);
}
