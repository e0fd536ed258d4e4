import type { MachineData, ReadBy, SignatureField, UnreadPart } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';

/** The text of one page. `words` is JSON, read and written as a whole: far cheaper than thousands of subdocuments. */
export interface PageRecord {
  organization_id: Types.ObjectId;
  document_id: Types.ObjectId;
  page_num: number;
  width: number;
  height: number;
  text: string;
  words: string;
  /** The words of the text for the search; see `indexedTerms`. Absent until a page of an earlier version is indexed. */
  search?: string;
  hidden_text: number;
  needs_ocr: boolean;
  /** Why the page could not be recognised. */
  ocr_error?: { code: string; message: string } | null;
  /** 0 to 1, the mean over its words, of a page recognised from an image. */
  ocr_confidence?: number | null;
  read_by?: ReadBy | null;
  /** Without page numbers, since a page can be copied to another document. */
  unread?: Omit<UnreadPart, 'page_num'>[] | null;
  /** Without page numbers too. */
  machine_data?: Omit<MachineData, 'page_num'>[] | null;
  signatures?: Pick<SignatureField, 'box' | 'signed'>[] | null;
}

const pageSchema = new mongoose.Schema<PageRecord>(
  {
    organization_id: { type: mongoose.Schema.Types.ObjectId, required: true },
    document_id: { type: mongoose.Schema.Types.ObjectId, required: true },
    page_num: { type: Number, required: true },
    width: { type: Number, required: true },
    height: { type: Number, required: true },
    // Not `required`, which refuses the empty text of an empty page.
    text: { type: String, default: '' },
    words: { type: String, required: true },
    search: { type: String },
    hidden_text: { type: Number, required: true },
    needs_ocr: { type: Boolean, required: true },
    ocr_error: { type: mongoose.Schema.Types.Mixed },
    ocr_confidence: { type: Number },
    read_by: { type: String },
    unread: { type: mongoose.Schema.Types.Mixed },
    machine_data: { type: mongoose.Schema.Types.Mixed },
    signatures: { type: mongoose.Schema.Types.Mixed },
  },
  { collection: 'document_pages', versionKey: false, autoIndex: false },
);
pageSchema.index({ document_id: 1, page_num: 1 }, { unique: true });
pageSchema.index({ search: 'text' }, { default_language: 'none' });

export function pageModel(connection: Connection): Model<PageRecord> {
  return connection.models['DocumentPage'] ?? connection.model<PageRecord>('DocumentPage', pageSchema);
}
