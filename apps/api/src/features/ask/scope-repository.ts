import { setImmediate as breathe } from 'node:timers/promises';
import { sortedInSteps } from '@docwright/agent-core';
import { DomainError, type AskScope } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter, type Types } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { collectionModel, entryModel } from '../collections/index.ts';
import { type DocumentRecord, documentModel, listedDocuments, readingStates } from '../documents/index.ts';
import { extractionModel } from '../extractions/index.ts';
import { createPromptCheck } from '../prompts/index.ts';
import { createTagCheck } from '../tags/index.ts';

/** The documents of a scope. */
export interface ScopeDocuments {
  /** By id, without those that no model may see. */
  names: ReadonlyMap<string, string>;
  listed: { id: string; name: string }[];
  unread: number;
  hidden: number;
  trashed: number;
}

/** A question over more documents needs a scope. */
const maxDocuments = 100_000;
/** So many ids are sent to the database. Those of more documents are compared here, in steps. */
export const maxNamedIds = 2_000;
/** Records that the database sends at once. */
export const batchSize = 1_000;
const inTrash = { $gte: new Date(0) };

type EntryPlace = { document_id: Types.ObjectId };

/** Calls `take` for each, in steps between which other work of the process continues. */
export async function eachOf<Each>(
  found: AsyncIterable<Each> | Iterable<Each>,
  take: (each: Each) => void,
): Promise<void> {
  let taken = 0;
  for await (const each of found) {
    take(each);
    if ((taken += 1) % batchSize === 0) await breathe();
  }
}

/** Results in the order of the ids of their documents. They are read as they were indexed, which differs between processes. */
export const byDocument = async <Result extends { document_id: string }>(results: Result[]): Promise<Result[]> => [
  ...(await sortedInSteps(results, (one, other) => (one.document_id < other.document_id ? -1 : 1))),
];

export function createScopeDocuments(
  connection: Connection,
): (organizationId: string, scope: AskScope) => Promise<ScopeDocuments> {
  const documents = documentModel(connection);
  const extractions = extractionModel(connection);
  const entries = entryModel(connection);

  /** The ids of the documents that a scope names by something else than their fields; undefined if it names none so. */
  async function idsOf(organization_id: Types.ObjectId, scope: AskScope): Promise<Set<string> | undefined> {
    const sets: Set<string>[] = [];
    const read = async (found: AsyncIterable<{ document_id: Types.ObjectId }>) => {
      const ids = new Set<string>();
      await eachOf(found, ({ document_id }) => void ids.add(document_id.toHexString()));
      sets.push(ids);
    };
    if (scope.document_ids) sets.push(new Set(scope.document_ids.map((id) => id.toLowerCase())));
    if (scope.collection_id !== undefined) {
      const collection_id = new mongoose.Types.ObjectId(scope.collection_id);
      const present = { organization_id, collection_id, state: { $ne: 'leaving' as const } };
      await read(entries.collection.find<EntryPlace>(present as object, { projection: { document_id: 1 }, batchSize }));
    }
    if (scope.prompt_id !== undefined) {
      const ofPrompt = { organization_id, prompt_id: scope.prompt_id };
      await read(extractions.collection.find<EntryPlace>(ofPrompt, { projection: { document_id: 1 }, batchSize }));
    }
    const [first, ...rest] = sets;
    if (first === undefined || rest.length === 0) return first;
    const common = new Set<string>();
    await eachOf(first, (id) => void (rest.every((set) => set.has(id)) && common.add(id)));
    return common;
  }

  return async (organizationId, scope) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const ids = await idsOf(organization_id, scope);
    const areNamed = ids !== undefined && ids.size <= maxNamedIds;
    const filter: QueryFilter<DocumentRecord> = {
      organization_id,
      ...listedDocuments,
      duplicate_of: null,
    };
    if (areNamed) filter._id = { $in: objectIdsOf([...ids]) };
    if (scope.tag_ids) filter.tag_ids = { $in: objectIdsOf(scope.tag_ids) };
    if (scope.from !== undefined || scope.to !== undefined) filter.upload_date = periodOf(scope);
    const isWanted = (id: string) => ids === undefined || areNamed || ids.has(id);
    /** Read by the driver alone: a question can be about 100,000 documents. */
    const documentsOf = (own: object, projection: object) =>
      documents.collection.find<Pick<DocumentRecord, '_id' | 'document_name' | 'state'>>(own, {
        projection,
        batchSize,
      });
    const countOf = async (own: QueryFilter<DocumentRecord>): Promise<number> => {
      if (ids === undefined || areNamed) return documents.countDocuments(own);
      let count = 0;
      await eachOf(documentsOf(own as object, { _id: 1 }), ({ _id }) => void (count += Number(ids.has(String(_id)))));
      return count;
    };
    const trashed = await countOf({ ...filter, deleted_at: inTrash });
    const hidden = await countOf({ ...filter, never_to_model_in: organization_id });
    const unreadStates = new Set<string>([...readingStates, 'ocr_failed']);
    const names = new Map<string, string>();
    let unread = 0;
    const visible = { ...filter, never_to_model_in: null };
    await eachOf(documentsOf(visible as object, { document_name: 1, state: 1 }), ({ _id, document_name, state }) => {
      const id = _id.toHexString();
      if (!isWanted(id)) return;
      if (names.size === maxDocuments) throw scopeTooLarge();
      names.set(id, document_name);
      if (unreadStates.has(state)) unread += 1;
    });
    const listed: { id: string; name: string }[] = [];
    await eachOf(names, ([id, name]) => void listed.push({ id, name }));
    return { names, listed, unread, hidden, trashed };
  };
}

export type CheckScope = ReturnType<typeof createScopeCheck>;

/** Returns a function that throws `unknown_reference` if a scope names what the organization does not have. Documents in the trash exist. */
export function createScopeCheck(connection: Connection) {
  const documents = documentModel(connection);
  const collections = collectionModel(connection);
  const checkTags = createTagCheck(connection);
  const promptExists = createPromptCheck(connection);
  return async (organizationId: string, scope: AskScope = {}): Promise<void> => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const require = async (name: string, exist: Promise<boolean>) => {
      if (await exist) return;
      const message = `scope.${name} names what does not exist. List what there is and use an id from there.`;
      throw new DomainError('invalid', 'unknown_reference', message);
    };
    const allDocuments = async (given: readonly string[]) => {
      const ids = objectIdsOf([...new Set(given.map((id) => id.toLowerCase()))]);
      return (await documents.countDocuments({ organization_id, _id: { $in: ids } })) === ids.length;
    };
    const collectionExists = async (id: string) =>
      (await collections.exists({ organization_id, _id: new mongoose.Types.ObjectId(id) })) !== null;
    await Promise.all([
      checkTags(organizationId, scope.tag_ids ?? []),
      scope.prompt_id !== undefined && require('prompt_id', promptExists(organizationId, scope.prompt_id)),
      scope.collection_id !== undefined && require('collection_id', collectionExists(scope.collection_id)),
      scope.document_ids && require('document_ids', allDocuments(scope.document_ids)),
    ]);
  };
}

function scopeTooLarge(): DomainError {
  const message = `The question is about more than ${maxDocuments} documents. Narrow it with a scope: tags, a prompt, a collection or dates.`;
  return new DomainError('invalid', 'scope_too_large', message);
}

function periodOf({ from, to }: AskScope) {
  const day = 86_400_000;
  return {
    ...(from !== undefined && { $gte: new Date(from) }),
    ...(to !== undefined && { $lt: new Date(Date.parse(to) + day) }),
  };
}
