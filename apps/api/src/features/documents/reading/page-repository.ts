import type { Document, ReadBy, SignatureField, UnreadPart } from '@docwright/contract';
import type { Page, Word } from '@docwright/documents';
import mongoose, { type Connection, type Model } from 'mongoose';
import { placesOfDuplicates } from '../../../platform/database/connection.ts';
import { parseLongJson } from '../../../platform/long-values/long-json.ts';
import { readTogether } from '../../../platform/database/joint-reads.ts';
import {
  pagesOwner,
  recordBytes,
  storedBytesOf,
  type StoredBytes,
} from '../../../platform/database/stored-bytes/stored-bytes.ts';
import { objectIdsOf } from '../../../platform/database/object-id.ts';
import { indexedTermsOfPage } from '../../../platform/database/content-search.ts';
import { pageModel, type PageRecord } from '../records/page-model.ts';

export interface StoredPageText {
  page_num: number;
  text: string;
  hidden_text: number;
  /** Why this page could not be read. */
  ocr_error?: PageError;
  /** The mean confidence (0 to 1) of the recognised words, if there are any. */
  ocr_confidence?: number;
  read_by?: ReadBy;
  /** What could not be read on this page. */
  unread?: UnreadPart[];
}

interface PageError {
  code: string;
  message: string;
}

/** The pages of one organization's documents. */
export type PageRepository = ReturnType<typeof createPageRepository>;

export type PageFindings = Pick<Document, 'machine_data' | 'signatures'>;

/** The record of a document has this many codes and lines at most. */
const maxMachineData = 200;
const maxSignatures = 100;
/** Characters. */
const maxDrawnText = 300;

/** How many pages `beginnings` reads. */
const beginningPages = 3;

export function createPageRepositories(connection: Connection): (organizationId: string) => PageRepository {
  const model = pageModel(connection);
  const storedBytes = storedBytesOf(connection);
  return (organizationId) => createPageRepository(model, storedBytes, organizationId);
}

function createPageRepository(model: Model<PageRecord>, storedBytes: StoredBytes, organizationId: string) {
  const count = (documentId: string, record: object) =>
    storedBytes.add(organizationId, pagesOwner(documentId.toLowerCase()), recordBytes(record));
  const organization_id = new mongoose.Types.ObjectId(organizationId);
  const of = (documentId: string) => ({ organization_id, document_id: new mongoose.Types.ObjectId(documentId) });

  return {
    async texts(documentId: string, pageNumber?: number) {
      const filter = pageNumber === undefined ? of(documentId) : { ...of(documentId), page_num: pageNumber };
      const records = await readTogether(model, filter, { projection: { words: 0, search: 0 }, sort: { page_num: 1 } });
      return records.map(textOf);
    },
    /** Texts in order, one by one, so that a long document is never completely in memory. */
    async *eachText(documentId: string) {
      const records = model.find(of(documentId), { words: 0 }).sort({ page_num: 1 }).lean().cursor({ batchSize: 50 });
      for await (const record of records) yield textOf(record);
    },
    /** The text of the first pages of each document, by document id. */
    async beginnings(documentIds: readonly string[]) {
      const document_id = { $in: objectIdsOf(documentIds) };
      const records = await model
        .find({ organization_id, document_id, page_num: { $lte: beginningPages } }, { document_id: 1, text: 1 })
        .sort({ document_id: 1, page_num: 1 })
        .lean();
      const byDocument = Map.groupBy(records, (record) => record.document_id.toHexString());
      return new Map([...byDocument].map(([id, pages]) => [id, pages.map(({ text }) => `${text}\n`).join('')]));
    },
    async words(documentId: string, pageNumber: number) {
      const record = await model.findOne({ ...of(documentId), page_num: pageNumber }).lean();
      if (record === null) return undefined;
      const words: Word[] = await parseLongJson(record.words);
      return { width: record.width, height: record.height, words, ...readingOf(record) };
    },
    /** Pages with their words: all, or the first ones that start within `maxCharacters`. */
    async pages(documentId: string, maxCharacters = Infinity) {
      const pages: Page[] = [];
      let room = maxCharacters;
      for await (const record of model.find(of(documentId)).sort({ page_num: 1 }).lean().cursor()) {
        if (room <= 0) break;
        room -= record.text.length;
        pages.push(pageOf(record));
      }
      return pages;
    },
    /** Pages with their words in order, one by one, so that a long document is never completely in memory. */
    async *eachPage(documentId: string) {
      for await (const record of model.find(of(documentId)).sort({ page_num: 1 }).lean().cursor({ batchSize: 20 })) {
        yield pageOf(record);
      }
    },
    /** The pages `from` to `to`, inclusive. */
    async pagesBetween(documentId: string, from: number, to: number) {
      const filter = { ...of(documentId), page_num: { $gte: from, $lte: to } };
      return (await model.find(filter).sort({ page_num: 1 }).lean()).map(pageOf);
    },
    /** The same without words. */
    async textsBetween(documentId: string, from: number, to: number) {
      const filter = { ...of(documentId), page_num: { $gte: from, $lte: to } };
      return (await model.find(filter, { words: 0 }).sort({ page_num: 1 }).lean()).map(textOf);
    },
    async insert(documentId: string, pages: Page[]) {
      const records = [];
      for (const page of pages) {
        const search = await indexedTermsOfPage(organizationId, page.text);
        records.push({ ...page, ...of(documentId), words: JSON.stringify(page.words), search });
      }
      // A reader that lost its claim while its process was suspended can have written the same page of the same file.
      const inserting = model.insertMany(records, { ordered: false, lean: true });
      const known = await inserting.then(() => new Set<number>(), placesOfDuplicates);
      for (const [place, record] of records.entries()) if (!known.has(place)) count(documentId, record);
    },
    /** Copies pages with words and boxes to another document, where they are numbered from 1 in the given order. */
    async copy(documentId: string, pageNumbers: readonly number[], targetId: string) {
      for (const [index, page_num] of pageNumbers.entries()) {
        const found = await model.findOne({ ...of(documentId), page_num }, { _id: 0 }).lean();
        if (!found) continue;
        await model.create({ ...found, ...of(targetId), page_num: index + 1 });
        count(targetId, found);
      }
    },
    async removeAll(documentId: string) {
      const { deletedCount } = await model.deleteMany(of(documentId));
      if (deletedCount > 0) await storedBytes.forget(organizationId, pagesOwner(documentId.toLowerCase()));
    },
    /** The numbers of the pages to be recognised, in order, and the number of all pages. */
    async listToRecognize(documentId: string) {
      const pageCount = await model.countDocuments(of(documentId));
      const unread = { ...of(documentId), needs_ocr: true, ocr_error: null };
      const records = await model.find(unread, { page_num: 1 }).sort({ page_num: 1 }).lean();
      return { waiting: records.map(({ page_num }) => page_num), pageCount };
    },
    /** Stores a recognised page; does nothing if its document no longer exists. */
    async replace(documentId: string, { page_num, words, ...page }: Page) {
      const set = {
        unread: null,
        machine_data: null,
        ...page,
        words: JSON.stringify(words),
        search: await indexedTermsOfPage(organizationId, page.text),
        ocr_confidence: meanConfidence(words),
      };
      const { matchedCount } = await model.updateOne({ ...of(documentId), page_num }, { $set: set });
      if (matchedCount === 1) count(documentId, set);
    },
    async noteFailure(documentId: string, pageNumber: number, error: PageError) {
      await model.updateOne({ ...of(documentId), page_num: pageNumber }, { $set: { ocr_error: error } });
    },
    /** The errors of pages that could not be recognised, in page order. */
    async failures(documentId: string) {
      const failed = { ...of(documentId), ocr_error: { $ne: null } };
      const records = await model.find(failed, { ocr_error: 1 }).sort({ page_num: 1 }).lean();
      return records.flatMap(({ ocr_error }) => ocr_error ?? []);
    },
    /** What could not be read on any page, in page order. */
    async unread(documentId: string) {
      const partly = { ...of(documentId), $or: [{ unread: { $exists: true } }, { ocr_error: { $ne: null } }] };
      const projection = { page_num: 1, unread: 1, ocr_error: 1 };
      const records = await readTogether(model, partly, { projection, sort: { page_num: 1 } });
      return records.flatMap(unreadOf);
    },
    /** The machine-readable data and signature fields of pages, in page order: at most as many as a document lists. */
    async findings(documentId: string) {
      const [coded, signed] = await Promise.all([
        readTogether(
          model,
          { ...of(documentId), machine_data: { $exists: true } },
          { projection: { page_num: 1, machine_data: 1 }, sort: { page_num: 1 }, limit: maxMachineData },
        ),
        readTogether(
          model,
          { ...of(documentId), signatures: { $exists: true } },
          { projection: { page_num: 1, signatures: 1, words: 1 }, sort: { page_num: 1 }, limit: maxSignatures },
        ),
      ]);
      const machine_data = coded.flatMap(({ page_num, machine_data: found }) =>
        (found ?? []).map(({ kind, profile, ...data }) => ({ kind, ...(profile && { profile }), page_num, ...data })),
      );
      const signatures = signed.flatMap(signaturesOf);
      return {
        ...(machine_data.length > 0 && { machine_data: machine_data.slice(0, maxMachineData) }),
        ...(signatures.length > 0 && { signatures: signatures.slice(0, maxSignatures) }),
      };
    },
  };
}

/** The fields for signatures of a page with the words in them. */
function signaturesOf({
  page_num,
  signatures,
  words,
}: Pick<PageRecord, 'page_num' | 'signatures' | 'words'>): SignatureField[] {
  if (!signatures?.length) return [];
  const all = JSON.parse(words) as Word[];
  return signatures.map(({ box, signed }) => {
    const inside = all.filter(({ x0, y0, x1, y1 }) => {
      const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
      return x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1;
    });
    const drawn_text = inside
      .map(({ text }) => text)
      .join(' ')
      .slice(0, maxDrawnText);
    return { page_num, box, signed, ...(drawn_text && { drawn_text }) };
  });
}

function textOf(record: Omit<PageRecord, 'words'>): StoredPageText {
  const { page_num, text, hidden_text, ocr_error, ocr_confidence } = record;
  return {
    page_num,
    text,
    hidden_text,
    ...(ocr_error ? { ocr_error } : {}),
    ...(typeof ocr_confidence === 'number' ? { ocr_confidence } : {}),
    ...readingOf(record),
  };
}

type Reading = Pick<PageRecord, 'page_num' | 'read_by' | 'unread' | 'ocr_error' | 'ocr_confidence'>;

/** Pages of earlier versions have no `read_by`: those with a confidence were recognised. */
function readingOf(record: Reading): Pick<StoredPageText, 'read_by' | 'unread'> {
  const read_by = record.read_by ?? (typeof record.ocr_confidence === 'number' ? 'ocr' : undefined);
  const unread = unreadOf(record);
  return { ...(read_by ? { read_by } : {}), ...(unread.length > 0 ? { unread } : {}) };
}

/** A page whose recognition failed is unread as a whole. */
function unreadOf({
  page_num,
  unread,
  ocr_error,
}: Pick<PageRecord, 'page_num' | 'unread' | 'ocr_error'>): UnreadPart[] {
  const parts = (unread ?? []).map((part) => ({ ...part, page_num }));
  return ocr_error ? [...parts, { kind: 'picture', page_num, message: ocr_error.message }] : parts;
}

function pageOf(record: PageRecord): Page {
  const { page_num, width, height, text, hidden_text, needs_ocr } = record;
  return { page_num, width, height, text, words: wordsOf(record), hidden_text, needs_ocr, ...readingOf(record) };
}

/** Words without a confidence were not recognised. Nothing is known of a page without recognised words: null. */
function meanConfidence(words: readonly Word[]): number | null {
  const known = words.flatMap(({ confidence }) => confidence ?? []);
  return known.length === 0 ? null : known.reduce((sum, confidence) => sum + confidence, 0) / known.length;
}

function wordsOf(record: Pick<PageRecord, 'words'>): Word[] {
  const words: Word[] = JSON.parse(record.words);
  return words;
}
