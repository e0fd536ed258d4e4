import mongoose, { type Connection, type Model } from 'mongoose';

/** The turns of an organization within one minute. */
interface TurnRateRecord {
  /** The organization and the minute. */
  _id: string;
  count: number;
  /** By user id. */
  people: Record<string, number>;
  expires_at: Date;
}

const turnRateSchema = new mongoose.Schema<TurnRateRecord>(
  {
    _id: { type: String, required: true },
    count: { type: Number, required: true },
    people: { type: mongoose.Schema.Types.Mixed, required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: 'turn_rates', versionKey: false, autoIndex: false },
);
turnRateSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export function turnRateModel(connection: Connection): Model<TurnRateRecord> {
  return connection.models['TurnRate'] ?? connection.model<TurnRateRecord>('TurnRate', turnRateSchema);
}
