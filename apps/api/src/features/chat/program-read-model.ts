import { field, modelOf, recordSchema } from '../../platform/records/record-model.ts';

/** The data that a tool returned to a program of a user. */
const programReadSchema = recordSchema(
  {
    /** Of the user and the content: what is read again is kept once. */
    _id: field.text,
    organization_id: field.objectId,
    user_id: field.objectId,
    /** The documents that the texts are from, so that a purged document leaves nothing here. */
    document_ids: field.text.list(),
    /** JSON of a `ReadContent`. */
    content: field.text,
    read_at: field.date,
    expires_at: field.date,
  },
  { collection: 'program_reads' },
);
programReadSchema.index({ organization_id: 1, user_id: 1, read_at: -1 });
programReadSchema.index({ organization_id: 1, document_ids: 1 });
programReadSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const programReadModel = modelOf('ProgramRead', programReadSchema);
