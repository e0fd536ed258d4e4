import type { Document, DocumentRouting, RouteThen } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { exceptIds, objectIdOf, objectIdsOf } from '../../platform/database/object-id.ts';
import { outboxEvent, toOutbox, type OutboxEvent } from '../event-log/index.ts';
import {
  createProtection,
  documentModel,
  nameKeyOf,
  protectContents,
  readingStates,
  presentDocument,
  type DocumentRecord,
} from '../documents/index.ts';

/** A document that waits for its route. */
interface UnroutedDocument {
  organizationId: string;
  document: Document;
  /** The source that it came from. */
  sourceId: string | undefined;
  /** Its number of changes when it was read. */
  changes: number;
}

/** The documents of all organizations that wait for their route since their text was read. */
export type RoutedDocumentRepository = ReturnType<typeof createRoutedDocuments>;

export function createRoutedDocuments(connection: Connection) {
  const model = documentModel(connection);
  const protectionOf = createProtection(connection);
  const due = { routing_due: true as const, deleted_at: null, duplicate_of: null, state: { $nin: readingStates } };
  return {
    /** Undefined if it does not wait, or its text is not read yet. */
    async waiting(documentId: string): Promise<UnroutedDocument | undefined> {
      const record = await model.findOne({ ...due, _id: objectIdOf(documentId) ?? null }).lean();
      if (record === null) return undefined;
      return {
        organizationId: record.organization_id.toHexString(),
        document: presentDocument(record),
        sourceId: record.source_id?.toHexString(),
        changes: record.changes ?? 0,
      };
    },
    /** Those whose process died before they were routed, oldest first, except these. */
    async listWaiting(limit: number, except: readonly string[]): Promise<string[]> {
      const others = { ...due, ...exceptIds(except) };
      const found = await model.find(others, { _id: 1 }).sort({ _id: 1 }).limit(limit).lean();
      return found.map(({ _id }) => _id.toHexString());
    },
    /**
     * Stores where a document goes with what it gets, in one write. False if it no longer waits, or was changed meanwhile.
     */
    async settle(
      { organizationId, document, changes }: UnroutedDocument,
      then: RouteThen,
      routing: DocumentRouting | undefined,
      judged?: DocumentRecord['routing_judged'],
    ): Promise<boolean> {
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      const gives = Object.keys(then).length > 0;
      const id = objectIdOf(document.id);
      // First, since nothing repeats it once the route is settled.
      if (then.never_to_model && id) await protectContents(model, organization_id, id);
      if (then.tag_ids && id) await protectionOf(organizationId).protect([id], then.tag_ids);
      const { modifiedCount } = await model.updateOne(
        { _id: id ?? null, organization_id, ...due, changes },
        {
          $unset: { routing_due: 1 },
          $set: {
            ...((gives || document.tag_ids.length > 0) && { arrival_due: true as const }),
            ...(routing && { routing, routing_judged: judged ?? null }),
            ...(then.metadata && { metadata: { ...then.metadata, ...document.metadata } }),
            ...arrivalOf(then),
            ...(then.name !== undefined && { document_name: then.name, name_key: nameKeyOf(then.name) }),
            ...(then.never_to_model && { never_to_model_in: organization_id }),
          },
          ...toOutbox(...(routing ? eventsOf(routing) : [])),
          ...(then.tag_ids && { $addToSet: { tag_ids: { $each: objectIdsOf(then.tag_ids) } } }),
          // What arrives with the split that made it is no later change, which would stop the undo of the split.
          ...(gives && !document.split_from && { $inc: { changes: 1 } }),
        },
      );
      return modifiedCount === 1;
    },
    /** The sources of documents of an organization, by document. */
    async sourcesOf(organizationId: string, documentIds: readonly string[]): Promise<Map<string, string>> {
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      const records = await model
        .find({ _id: { $in: objectIdsOf(documentIds) }, organization_id, source_id: { $ne: null } }, { source_id: 1 })
        .lean();
      return new Map(records.map(({ _id, source_id }) => [_id.toHexString(), source_id!.toHexString()]));
    },
    /** Notes what the given tags start, before the decision of a user gives them. */
    async noteArrival(organizationId: string, documentId: string, then: RouteThen): Promise<void> {
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      const one = { _id: objectIdOf(documentId) ?? null, organization_id, deleted_at: null };
      await model.updateOne(one, { $set: { route_arrival: null, ...arrivalOf(then) } });
    },
    /** Notes the decision of a user. */
    async note(organizationId: string, documentId: string, routing: DocumentRouting): Promise<void> {
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      const one = { _id: objectIdOf(documentId) ?? null, organization_id, deleted_at: null };
      await model.updateOne(one, { $set: { routing }, $unset: { routing_due: 1 }, ...toOutbox(...eventsOf(routing)) });
    },
  };
}

/** Tells that a route took a document, or that a user decides. A document that no route fits is only `document.ready`. */
function eventsOf({ state, route_ids, by, candidates = [] }: DocumentRouting): OutboxEvent[] {
  switch (state) {
    case 'routed':
    case 'waiting_split':
      return [outboxEvent('document.routed', { state, route_ids, by })];
    case 'unsure':
      return [outboxEvent('document.unsure', { route_ids, candidate_ids: candidates.map(({ route_id }) => route_id) })];
    case 'none':
      return [];
  }
}

function arrivalOf({ tag_ids = [], on_arrival }: RouteThen): Pick<DocumentRecord, 'route_arrival'> {
  return on_arrival === undefined ? {} : { route_arrival: { ...on_arrival, tag_ids } };
}
