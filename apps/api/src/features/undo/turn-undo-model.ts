import { field, modelOf, recordSchema } from '../../platform/records/record-model.ts';

/** The undo of a turn, of a document of a run or of a single write, under its id. */
const turnUndoSchema = recordSchema(
  {
    organization_id: field.objectId,
    /** The document whose content the plan contains. */
    document_id: field.objectId.optional(),
    /** An UndoPlan as JSON. */
    plan: field.text,
    /** The answer as JSON; null until the undo is complete. */
    answer: field.text.orNull(),
    at: field.date,
  },
  { collection: 'turn_undos' },
);
turnUndoSchema.index({ document_id: 1 });

export const turnUndoModel = modelOf('TurnUndo', turnUndoSchema);
