import type { Extraction } from '@docwright/contract';
import type { Model, Types } from 'mongoose';
import { readTogether } from '../../../platform/database/joint-reads.ts';
import type { ExtractionRecord } from './extraction-model.ts';
import { presentExtraction } from './extraction-version-repository.ts';
import { presentEachLater } from '../../../platform/records/unreadable-records.ts';
import { pageOfItems, type PageEnd, type PageSelection } from '../../../platform/database/page.ts';

interface OfDocument {
  organization_id: Types.ObjectId;
  document_id: Types.ObjectId;
}

const newestFirst = { changed_at: -1, _id: -1 } as const;

/** The newest verified result of any revision of the prompt. */
export async function findVerified(
  model: Model<ExtractionRecord>,
  filter: OfDocument,
  promptId: string,
): Promise<ExtractionRecord | null> {
  return await model
    .findOne({ ...filter, prompt_id: promptId, is_verified: true })
    .sort(newestFirst)
    .lean();
}

/** The newest result, or the verified one of its prompt: a newer result replaces that only if a user verifies it. */
export async function findLatest(model: Model<ExtractionRecord>, filter: OfDocument): Promise<ExtractionRecord | null> {
  const newest = await model.findOne(filter).sort(newestFirst).lean();
  if (newest === null || newest.is_verified) return newest;
  return (await findVerified(model, filter, newest.prompt_id)) ?? newest;
}

/** A page of a document's results in the order of `findLatest`. */
export async function findInOrder(
  model: Model<ExtractionRecord>,
  filter: OfDocument,
  page: PageSelection,
): Promise<{ extractions: Extraction[] } & PageEnd> {
  const heads = await readTogether(model, filter, {
    projection: { prompt_id: 1, is_verified: 1 },
    sort: newestFirst,
  });
  const { items, end } = pageOfItems(verifiedFirst(heads), page, ({ _id }) => _id.toHexString());
  const ids = items.map(({ _id }) => _id);
  const records = ids.length === 0 ? [] : await model.find({ ...filter, _id: { $in: ids } }).lean();
  const byId = new Map(records.map((record) => [record._id.toHexString(), record]));
  const extractions: Extraction[] = [];
  for (const id of ids) {
    const record = byId.get(id.toHexString());
    if (record) extractions.push(...(await presentEachLater([record], (each) => presentExtraction(each))));
  }
  return { extractions, ...end };
}

export async function present(record: ExtractionRecord | null): Promise<Extraction | undefined> {
  return record === null ? undefined : await presentExtraction(record);
}

/** Verified results take the first of their prompt's places. */
function verifiedFirst<Head extends { prompt_id: string; is_verified: boolean }>(heads: readonly Head[]): Head[] {
  const ofPrompt = new Map(
    [...Map.groupBy(heads, ({ prompt_id }) => prompt_id)].map(([prompt, own]) => [
      prompt,
      own.toSorted((one, other) => Number(other.is_verified) - Number(one.is_verified)).values(),
    ]),
  );
  return heads.map((head) => ofPrompt.get(head.prompt_id)?.next().value ?? head);
}
