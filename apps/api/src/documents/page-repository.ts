import type { Page, Word } from '@docwright/documents';
import mongoose, { type Connection, type Model } from 'mongoose';
import { pageModel, type PageRecord } from './document-model.ts';

export interface PageText {
  page_num: number;
  text: string;
  hidden_text: number;
}

/** The pages of one organization's documents. */
export interface PageRepository {
  texts(documentId: string, pageNumber?: number): Promise<PageText[]>;
  words(documentId: string, pageNumber: number): Promise<{ width: number; height: number; words: Word[] } | undefined>;
  /** Pages with their words, for grounding: all, or as many from the first as begin within so many characters. */
  pages(documentId: string, mostCharacters?: number): Promise<Page[]>;
  insert(documentId: string, pages: Page[]): Promise<void>;
  removeAll(documentId: string): Promise<void>;
}

/** Makes the repository of whichever organization is named. */
export function createPageRepositories(connection: Connection): (organizationId: string) => PageRepository {
  const model = pageModel(connection);
  return (organizationId) => createPageRepository(model, organizationId);
}

function createPageRepository(model: Model<PageRecord>, organizationId: string): PageRepository {
  const organization_id = new mongoose.Types.ObjectId(organizationId);
  const of = (documentId: string) => ({ organization_id, document_id: new mongoose.Types.ObjectId(documentId) });

  return {
    async texts(documentId, pageNumber) {
      const filter = pageNumber === undefined ? of(documentId) : { ...of(documentId), page_num: pageNumber };
      const records = await model.find(filter, { words: 0 }).sort({ page_num: 1 }).lean();
      return records.map(({ page_num, text, hidden_text }) => ({ page_num, text, hidden_text }));
    },
    async words(documentId, pageNumber) {
      const record = await model.findOne({ ...of(documentId), page_num: pageNumber }).lean();
      if (record === null) return undefined;
      return { width: record.width, height: record.height, words: wordsOf(record) };
    },
    async pages(documentId, mostCharacters = Infinity) {
      const pages: Page[] = [];
      let room = mostCharacters;
      for await (const record of model.find(of(documentId)).sort({ page_num: 1 }).lean().cursor()) {
        if (room <= 0) break;
        room -= record.text.length;
        pages.push(pageOf(record));
      }
      return pages;
    },
    async insert(documentId, pages) {
      const records = pages.map((page) => ({ ...page, ...of(documentId), words: JSON.stringify(page.words) }));
      await model.insertMany(records, { ordered: true, lean: true });
    },
    async removeAll(documentId) {
      await model.deleteMany(of(documentId));
    },
  };
}

function pageOf(record: PageRecord): Page {
  const { page_num, width, height, text, hidden_text, needs_ocr } = record;
  return { page_num, width, height, text, words: wordsOf(record), hidden_text, needs_ocr };
}

function wordsOf(record: Pick<PageRecord, 'words'>): Word[] {
  const words: Word[] = JSON.parse(record.words);
  return words;
}
