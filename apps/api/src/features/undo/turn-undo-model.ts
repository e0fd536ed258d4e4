import mongoose, { type Connection, type Model, type Types } from 'mongoose';

/** The undo of a turn, of a document of a run or of a single write, under its id. */
interface TurnUndoRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  /** The document whose content the plan contains. */
  document_id?: Types.ObjectId;
  /** An UndoPlan as JSON. */
  plan: string;
  /** The answer as JSON; null until the undo is complete. */
  answer: string | null;
  at: Date;
}

const objectId = { type: mongoose.Schema.Types.ObjectId, required: true } as const;

const turnUndoSchema = new mongoose.Schema<TurnUndoRecord>(
  {
    organization_id: objectId,
    document_id: { type: mongoose.Schema.Types.ObjectId },
    plan: { type: String, required: true },
    answer: { type: String, default: null },
    at: { type: Date, required: true },
  },
  { collection: 'turn_undos', versionKey: false, autoIndex: false },
);
turnUndoSchema.index({ document_id: 1 });

export function turnUndoModel(connection: Connection): Model<TurnUndoRecord> {
  return connection.models['TurnUndo'] ?? connection.model<TurnUndoRecord>('TurnUndo', turnUndoSchema);
}
