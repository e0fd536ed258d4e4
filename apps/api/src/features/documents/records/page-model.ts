import type { MachineData, ReadBy, SignatureField, UnreadPart } from '@docwright/contract';
import { field, modelOf, recordSchema, type StoredRecord } from '../../../platform/records/record-model.ts';

/** The text of one page. `words` is JSON, read and written as a whole: far cheaper than thousands of subdocuments. */
export type PageRecord = StoredRecord<typeof pageSchema>;

const pageSchema = recordSchema(
  {
    organization_id: field.objectId,
    document_id: field.objectId,
    page_num: field.number,
    width: field.number,
    height: field.number,
    // Not `required`, which refuses the empty text of an empty page.
    text: field.text.default(''),
    words: field.text,
    /** The words of the text for the search; see `indexedTerms`. Absent until a page of an earlier version is indexed. */
    search: field.text.optional(),
    hidden_text: field.number,
    needs_ocr: field.flag,
    /** Why the page could not be recognised. */
    ocr_error: field.mixed<{ code: string; message: string }>().optionalOrNull(),
    /** 0 to 1, the mean over its words, of a page recognised from an image. */
    ocr_confidence: field.number.optionalOrNull(),
    read_by: field.oneOf<ReadBy>().optionalOrNull(),
    /** Without page numbers, since a page can be copied to another document. */
    unread: field.mixed<Omit<UnreadPart, 'page_num'>[]>().optionalOrNull(),
    /** Without page numbers too. */
    machine_data: field.mixed<Omit<MachineData, 'page_num'>[]>().optionalOrNull(),
    signatures: field.mixed<Pick<SignatureField, 'box' | 'signed'>[]>().optionalOrNull(),
  },
  { collection: 'document_pages' },
);
pageSchema.index({ organization_id: 1, document_id: 1, page_num: 1 }, { unique: true });
pageSchema.index({ search: 'text' }, { default_language: 'none' });

export const pageModel = modelOf('DocumentPage', pageSchema);
