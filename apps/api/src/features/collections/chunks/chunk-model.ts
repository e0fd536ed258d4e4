import type { TextLanguage } from '@docwright/language';
import mongoose, { type mongo } from 'mongoose';
import type { GroundingBox } from '@docwright/documents';
import { field, modelOf, recordSchema, type StoredRecord } from '../../../platform/records/record-model.ts';
import { defaultLanguage } from '../../pipelines/index.ts';
import type { Chunk } from '../../plugins/index.ts';

/** A search result: a chunk and its document. */
export interface FoundChunk extends Chunk {
  language: TextLanguage;
  id: string;
  document_id: string;
}

/** What is stored of a chunk wherever it stands. */
export interface ChunkContent {
  page_num: number | null;
  start: number;
  end: number;
  text: string;
  heading?: string;
  /** The text index reads the chunk's language from this field (`language_override`). */
  _language?: TextLanguage;
  boxes?: mongo.Binary;
  embedding?: mongo.Binary;
}

/** A chunk of any collection. */
export type ChunkRecord = StoredRecord<typeof chunkSchema>;

const chunkSchema = recordSchema(
  {
    /** Derived from the collection, the document and the chunk's position, so that indexing a document twice stores its chunks once. */
    _id: field.text,
    organization_id: field.objectId,
    collection_id: field.objectId,
    document_id: field.objectId,
    page_num: field.number.orNull(),
    start: field.number,
    end: field.number,
    text: field.text,
    heading: field.text.optional(),
    _language: field.oneOf<TextLanguage>().optional(),
    boxes: field.mixed<mongo.Binary>().optional(),
    embedding: field.mixed<mongo.Binary>().optional(),
  },
  { collection: 'chunks' },
);
chunkSchema.index({ organization_id: 1, collection_id: 1, document_id: 1 });

/** The chunks of all collections. Their text and vector indexes are created when the first collection is indexed. */
export const chunkModel = modelOf('Chunk', chunkSchema);

/** The fields of a search result. They are named: not every server allows a score together with excluded fields. */
export const chunkFields = {
  document_id: 1,
  page_num: 1,
  start: 1,
  end: 1,
  text: 1,
  heading: 1,
  _language: 1,
  boxes: 1,
} as const satisfies Partial<Record<keyof ChunkRecord, 1>>;

/** Chunks and their vectors as they are stored. */
export function chunkContents(chunks: readonly Chunk[], vectors: readonly Float32Array[] | undefined): ChunkContent[] {
  return chunks.map(({ boxes, language, ...chunk }, at) => {
    const vector = vectors?.[at];
    return {
      ...chunk,
      ...(language && { _language: language }),
      ...(boxes && { boxes: new mongoose.mongo.Binary(packBoxes(boxes)) }),
      ...(vector && { embedding: mongoose.mongo.Binary.fromFloat32Array(vector) }),
    };
  });
}

/** @param id names the same chunk wherever it stands */
export function presentChunk(
  id: string,
  { document_id, page_num, start, end, text, heading, _language, boxes }: ChunkContent & { document_id: unknown },
): FoundChunk {
  return {
    id,
    document_id: String(document_id),
    page_num,
    start,
    end,
    text,
    ...(heading === undefined ? {} : { heading }),
    ...(boxes instanceof mongoose.mongo.Binary && typeof page_num === 'number'
      ? { boxes: unpackBoxes(boxes.buffer, page_num) }
      : {}),
    language: _language ?? defaultLanguage,
  };
}

/** The width or height of a page in the units of a packed box. */
const maxCoordinate = 65_535;

/** Packs the boxes of one page into 8 bytes each: x0, y0, x1, y1 in 16 bits, little endian. */
function packBoxes(boxes: readonly GroundingBox[]): Uint8Array {
  const bytes = Buffer.alloc(boxes.length * 8);
  for (const [at, { x0, y0, x1, y1 }] of boxes.entries()) {
    for (const [side, value] of [x0, y0, x1, y1].entries()) {
      bytes.writeUInt16LE(Math.round(value * maxCoordinate), at * 8 + side * 2);
    }
  }
  return bytes;
}

function unpackBoxes(bytes: Uint8Array, page_num: number): GroundingBox[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const side = (at: number) => Math.round((view.getUint16(at, true) / maxCoordinate) * 100_000) / 100_000;
  return Array.from({ length: Math.floor(bytes.byteLength / 8) }, (_, box) => {
    const at = box * 8;
    return { page_num, x0: side(at), y0: side(at + 2), x1: side(at + 4), y1: side(at + 6) };
  });
}
