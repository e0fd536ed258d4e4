import { field, modelOf, recordSchema } from '../../records/record-model.ts';

/** What one owner of data stores, and the sum of all owners of an organization under `totalOwner`. */
const storedBytesSchema = recordSchema(
  {
    organization_id: field.objectId,
    /**
     * What the bytes are removed with: the id of a document, one of its parts (`<id>:file`), `chunks:<collection>`, `until:<day>`,
     * or a kind of record that stays, such as `audit`.
     */
    owner: field.text,
    bytes: field.number.default(0),
    /** Of the sum: counts its changes. */
    changes: field.number.optional(),
    /** Of the sum: when it was last compared with its parts. */
    checked_at: field.date.optional(),
    /** Of the sum: the files of documents from before bytes were counted are counted. */
    has_files: field.mark.optional(),
  },
  { collection: 'stored_bytes' },
);
storedBytesSchema.index({ organization_id: 1, owner: 1 }, { unique: true });

export const storedBytesModel = modelOf('StoredBytes', storedBytesSchema);

/** Before every other owner in order. */
export const totalOwner = '';
