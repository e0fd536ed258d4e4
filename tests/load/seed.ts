import { Binary, MongoBulkWriteError, ObjectId, type Db, type Document } from 'mongodb';
import { maxDocumentsInSource } from '@docwright/contract';
import { stageOf, type DecidesStage } from '../../apps/api/src/features/documents/stages/stage-of-document.ts';
import type { Laboratory } from './laboratory.ts';
import { marksOf } from './marks.ts';

/** What a seeded organization has, for queries. */
export interface Seeded {
  documents: number;
  tagIds: string[];
  prompt: { prompt_id: string; prompt_revid: string };
  collectionId: string;
  /** The newest document. */
  documentId: string;
}

const batch = 1000;
const reportEvery = 20_000;
const begin = Date.UTC(2026, 0, 1);
const customers = 977;
const states = ['llm_completed', 'llm_completed', 'llm_completed', 'ocr_completed', 'ocr_failed'];

/** Numbers that look random and are the same in every run. */
const mixed = (index: number, below: number) => (Math.imul(index + 1, 2_654_435_761) >>> 0) % below;

/**
 * Gives the organization documents with a result, an entry of a collection, of the review queue, of the audit log and of the usage each, up
 * to `count` of each. Documents that exist stay. Records are inserted as the database stores them, without files.
 */
export async function seed(laboratory: Laboratory, count: number): Promise<Seeded> {
  const { db, ask } = laboratory;
  const organization_id = new ObjectId(laboratory.organizationId);
  const user = new ObjectId(laboratory.userId);
  const tagIds = await namedTags(laboratory);
  const prompt = await namedPrompt(laboratory);
  const collectionId = await namedCollection(laboratory, tagIds[0]!);
  const existing = await db.collection('documents').countDocuments({ organization_id });
  // A record that is there was inserted by an ended filling.
  const insert = async (name: string, records: Document[]) => {
    await db
      .collection(name)
      .insertMany(records, { ordered: false })
      .catch((error: unknown) => {
        if (!(error instanceof MongoBulkWriteError) || error.code !== 11_000) throw error;
      });
  };
  for (let at = existing; at < count; at += batch) {
    const numbers = Array.from({ length: Math.min(batch, count - at) }, (_, index) => at + index);
    const ids = numbers.map(idOf);
    // Every record has the id of its document, so that a batch whose filling was ended can be inserted again.
    const records = (of: (index: number, document_id: ObjectId) => Document): Document[] =>
      numbers.map((index, position) => ({ _id: ids[position]!, organization_id, ...of(index, ids[position]!) }));
    const owner = { organization_id, user, tagIds, prompt };
    const documents = records((index, document_id) => seededDocument(index, document_id, owner));
    const results = records((index, document_id) => ({
      document_id,
      prompt_revid: new ObjectId(prompt.prompt_revid),
      prompt_id: prompt.prompt_id,
      schema_revid: null,
      version: 1,
      result: JSON.stringify({ total: index }),
      original_result: JSON.stringify({ total: index }),
      grounding: '{}',
      validation_errors: [],
      is_edited: false,
      is_verified: index % 4 === 0,
      model: 'demo',
      usage: { prompt_tokens: 100, completion_tokens: 10, spu: 1, estimated: false },
      applied_calls: [],
      changes: 1,
      created_at: dateOf(index),
      changed_at: dateOf(index),
    }));
    const listed = records((index, document_id) => ({
      document_id,
      document_name: nameOf(index),
      prompt_revid: new ObjectId(prompt.prompt_revid),
      prompt_id: prompt.prompt_id,
      version: 1,
      release: 'open',
      is_verified: index % 4 === 0,
      is_complete: true,
      result: JSON.stringify({ total: index }),
      exact: '{}',
      changed_at: dateOf(index),
      writes: 1,
      indexed_at: new Date(),
    }));
    const queued = records((index, document_id) => ({
      document_id,
      prompt_id: prompt.prompt_id,
      prompt_revid: new ObjectId(prompt.prompt_revid),
      changes: 1,
      // Every fourth result has one open value of some risk.
      is_open: index % 4 === 1,
      open: new Binary(index % 4 === 1 ? Buffer.from([mixed(index, 256), 0x84, 1, 0]) : Buffer.alloc(0)),
      values: 1,
      decided: index % 4 === 0 ? 1 : 0,
      accepted: index % 4 === 0 ? 0 : 1,
      sampled: 0,
      sampled_wrong: 0,
      changed_at: new Date(),
    }));
    const indexed = records((index, document_id) => ({
      collection_id: collectionId,
      document_id,
      state: index % 50 === 0 ? 'failed' : 'indexed',
      round: 0,
      attempts: 1,
      pages: 1 + (index % 9),
      chunks: 2 + (index % 9),
      failure: index % 50 === 0 ? { category: 'no_text', message: 'There is no text.' } : null,
    }));
    const audited = records((index, document_id) => ({
      at: dateOf(index),
      kind: 'executed',
      actor: user,
      document_id,
      call_id: `seeded-${index}`,
      tool: index % 2 === 0 ? 'run_extraction' : 'update_document',
      arguments: '{}',
      success: true,
    }));
    const used = records((index, document_id) => ({
      day: dateOf(index).toISOString().slice(0, 10),
      model: 'demo',
      user_id: user.toHexString(),
      thread_id: `thread ${index % 5000}`,
      document_id: document_id.toHexString(),
      spu: 1,
      prompt_tokens: 100,
      completion_tokens: 10,
      calls: 1,
      estimated_calls: 0,
    }));
    const sums = used.flatMap(({ organization_id, document_id, spu, prompt_tokens, completion_tokens, calls }) =>
      ['all', monthNow].map((period) => ({
        organization_id,
        period,
        kind: 'document',
        key: document_id,
        spu,
        prompt_tokens,
        completion_tokens,
        calls,
      })),
    );
    const files = numbers.map((index, position) => ({
      _id: ids[position]!,
      organization_id,
      owner: `${String(ids[position])}:file`,
      bytes: sizeOf(index),
    }));
    await insert('stored_bytes', files);
    await insert('extractions', results);
    await insert('result_index', listed);
    await insert('review_queue', queued);
    // A collection has no more.
    if (at < maxDocumentsInSource) await insert('collection_documents', indexed);
    await insert('audit_entries', audited);
    await insert('usage_details', used);
    await insert('usage_sums', sums);
    // The last, because these are counted when the filling goes on.
    await insert('documents', documents);
    if ((at + batch) % reportEvery === 0) console.log(`${at + batch} documents are there`);
  }
  await countBytes(db, organization_id);
  const raised = [{ $inc: { stamp: 1 } }, { upsert: true }] as const;
  await db.collection('review_queue_stamps').updateOne({ _id: organization_id }, ...raised);
  const stamps = db.collection<{ _id: string; stamp: number }>('result_index_stamps');
  await stamps.updateOne({ _id: `${laboratory.organizationId}/${prompt.prompt_id}` }, ...raised);
  const { documents } = await ask<{ documents: { id: string }[] }>('/documents?limit=1');
  return {
    documents: count,
    tagIds,
    prompt,
    collectionId: collectionId.toHexString(),
    documentId: documents[0]?.id ?? '',
  };
}

/** The sum of what the documents' files store, as the product keeps it: a start would count a million files first. */
async function countBytes(db: Db, organization_id: ObjectId): Promise<void> {
  const parts = db
    .collection('stored_bytes')
    .find({ organization_id, owner: { $ne: '' } }, { projection: { bytes: 1 } });
  let bytes = 0;
  for await (const part of parts) bytes += Number(part['bytes']);
  const sum = { bytes, has_files: true, checked_at: new Date() };
  await db
    .collection('stored_bytes')
    .updateOne({ organization_id, owner: '' }, { $set: sum, $inc: { changes: 1 } }, { upsert: true });
}

interface Owner {
  organization_id: ObjectId;
  user: ObjectId;
  tagIds: readonly string[];
  prompt: Seeded['prompt'];
}

/** A document as the database stores it, save for its id and organization. The same in every run. */
export function seededDocument(
  index: number,
  id: ObjectId,
  { organization_id, user, tagIds, prompt }: Owner,
): Document {
  const date = dateOf(index);
  const record = {
    document_name: nameOf(index),
    name_key: nameOf(index).toLowerCase(),
    mime_type: 'application/pdf',
    size_bytes: sizeOf(index),
    file_id: new ObjectId(),
    page_count: 1 + (index % 9),
    pages_done: 1 + (index % 9),
    state: states[mixed(index, states.length)]!,
    tag_ids: tagIds.filter((_, tag) => mixed(index + tag, 3 ** (tag + 1)) === 0).map((tag) => new ObjectId(tag)),
    metadata: { number: index },
    upload_date: date,
    uploaded_by: user,
    attempts: 1,
    applied_calls: [],
    changes: 0,
    deleted_at: null,
    deleted_by_call: null,
    ...(index % 10 === 0 && {
      auto_create: { status: 'proposed', run_id: new ObjectId().toHexString(), ...prompt, done_at: date },
    }),
    ...marksOf(index, id, { organization_id, ...prompt }, date),
  };
  return { ...record, stage: stageOf(record as unknown as DecidesStage) };
}

const sizeOf = (index: number) => 1000 + mixed(index, 5_000_000);
const dateOf = (index: number) => new Date(begin + index * 1000);
const monthNow = new Date().toISOString().slice(0, 7);

/** In the order of the index. */
export const idOf = (index: number) => new ObjectId(`1${index.toString(16).padStart(23, '0')}`);

const nameOf = (index: number): string =>
  `${index % 2 ? 'Invoice' : 'contract'} ${mixed(index, 1_000_000)} of customer ${index % customers}.pdf`;

async function namedTags({ ask }: Laboratory): Promise<string[]> {
  const { tags } = await ask<{ tags: { tag_id: string }[] }>('/tags');
  if (tags.length > 0) return tags.map(({ tag_id }) => tag_id);
  const made: string[] = [];
  for (const name of ['third', 'ninth', 'twenty-seventh']) {
    made.push((await ask<{ tag_id: string }>('/tags', { name, color: '#336699' })).tag_id);
  }
  return made;
}

/** A collection whose indexing has ended. */
async function namedCollection({ db, organizationId, userId }: Laboratory, tagId: string): Promise<ObjectId> {
  const organization_id = new ObjectId(organizationId);
  const found = await db.collection('collections').findOne({ organization_id });
  if (found !== null) return found._id;
  const at = new Date(begin);
  const { insertedId } = await db.collection('collections').insertOne({
    organization_id,
    name: 'All',
    source_id: new ObjectId(),
    source: { document_ids: null, tag_ids: [tagId], name_search: null },
    pipeline: {
      parsers: [{ extensions: ['*'], plugin_id: 'plain', config: {} }],
      chunker: { plugin_id: 'recursive', config: {} },
      embedder: null,
    },
    status: 'ready',
    decided: true,
    created_at: at,
    created_by: new ObjectId(userId),
    role: 'admin',
    ended_at: at,
  });
  return insertedId;
}

async function namedPrompt({ ask }: Laboratory): Promise<Seeded['prompt']> {
  const { prompts } = await ask<{ prompts: Seeded['prompt'][] }>('/prompts');
  const { prompt_id, prompt_revid } =
    prompts[0] ?? (await ask<Seeded['prompt']>('/prompts', { name: 'Totals', content: 'Take the total.' }));
  return { prompt_id, prompt_revid };
}
