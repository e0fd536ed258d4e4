import { field, modelOf, recordSchema } from '../../records/record-model.ts';

/** Copies are read anew from their records after so long: they hold texts of documents, and nothing else ends some of them. */
const keptSeconds = 24 * 3_600;

/** What a process has computed in memory from many records, for those that start later. It can be lost at any time. */
const copySchema = recordSchema(
  {
    organization_id: field.objectId,
    /** What it is a copy of, such as `results`, a space and the id of a prompt. */
    name: field.text,
    /** One of several copies of the same records; empty for the main one. */
    part: field.text.unchecked(),
    /** A process that writes it in another way ignores it. */
    format: field.number,
    /** Up to which change it holds, as its owner stores that. */
    state: field.mixed<unknown>(),
    /** The pieces with this id, so many. */
    pieces_id: field.objectId,
    pieces: field.number,
    written_at: field.date,
  },
  { collection: 'stored_copies' },
);
copySchema.index({ organization_id: 1, name: 1, part: 1 }, { unique: true });
copySchema.index({ written_at: 1 }, { expireAfterSeconds: keptSeconds });

export const storedCopyModel = modelOf('StoredCopy', copySchema);

const pieceSchema = recordSchema(
  {
    organization_id: field.objectId,
    pieces_id: field.objectId,
    at: field.number,
    bytes: field.bytes,
    checksum: field.number,
    written_at: field.date,
  },
  { collection: 'stored_copy_pieces' },
);
pieceSchema.index({ organization_id: 1, pieces_id: 1, at: 1 }, { unique: true });
pieceSchema.index({ written_at: 1 }, { expireAfterSeconds: keptSeconds });

export const storedCopyPieceModel = modelOf('StoredCopyPiece', pieceSchema);
