import type { AuditEntry, AuditKind, OriginKind, Provenance, WriteOriginInfo } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { placesOfDuplicates } from '../../platform/database/connection.ts';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { recordBytes, storedBytesOf } from '../../platform/database/stored-bytes/stored-bytes.ts';
import { readPage, type PageEnd, type PageSelection } from '../../platform/database/page.ts';
import type { AuditLog, AuditRecord } from './audit-log.ts';
import { auditEntryModel, type AuditEntryRecord } from './audit-model.ts';
import { auditedArguments, auditedText } from './audited-arguments.ts';
import { presentEach } from '../../platform/records/unreadable-records.ts';

interface AuditFilter {
  kind?: AuditKind;
  actor?: string | undefined;
  document_id?: string | undefined;
  thread_id?: string | undefined;
  turn_id?: string | undefined;
  origin?: OriginKind | undefined;
  tool?: string | undefined;
}

/** The audit log of one organization: entries are added and read, never changed. */
export interface AuditRepository extends AuditLog {
  /** Newest first. */
  list(
    filter: AuditFilter,
    page: PageSelection,
  ): Promise<PageEnd & { entries: (AuditEntry & { is_partial: boolean })[] }>;
  get(id: string): Promise<AuditEntry | undefined>;
  /** Those of the calls that have an entry as executed. */
  executed(callIds: readonly string[]): Promise<Set<string>>;
  /** The tools of all entries, or of those of one user. */
  tools(actor: string | undefined): Promise<string[]>;
}

export function createAuditRepositories(connection: Connection): (organizationId: string) => AuditRepository {
  const model = auditEntryModel(connection);
  const storedBytes = storedBytesOf(connection);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    return {
      async record(entries) {
        if (entries.length === 0) return;
        const at = new Date();
        const records = entries.map((entry) => ({ organization_id, at, ...recordOf(entry) }));
        // The first entry of each step is kept.
        const known = await model
          .insertMany(records, { ordered: false })
          .then(() => new Set<number>(), placesOfDuplicates);
        const bytes = records.reduce((sum, record, place) => sum + (known.has(place) ? 0 : recordBytes(record)), 0);
        storedBytes.add(organizationId, 'audit', bytes);
      },
      async get(id) {
        const found = await model.findOne({ _id: { $in: objectIdsOf([id]) }, organization_id }).lean();
        return found === null ? undefined : present(found);
      },
      async executed(callIds) {
        const filter = { organization_id, call_id: { $in: [...callIds] }, kind: 'executed' as const };
        return new Set((await model.find(filter, { call_id: 1 }).lean()).map(({ call_id }) => call_id));
      },
      async tools(actor) {
        return await model.distinct('tool', { organization_id, ...idFilter({ actor }) });
      },
      async list({ kind, origin, tool, ...ids }, page) {
        const filter: QueryFilter<AuditEntryRecord> = {
          organization_id,
          ...(kind && { kind }),
          ...(origin && originFilter(origin)),
          ...(tool !== undefined && { tool: { $eq: tool } }),
          ...idFilter(ids),
        };
        const { records, end } = await readPage(model, filter, { ...page, sort: { at: -1, _id: -1 } });
        return { entries: presentEach(records, present), ...end };
      },
    };
  };
}

function recordOf({
  id,
  callId,
  documentId,
  threadId,
  turnId,
  ruleId,
  error,
  provenance,
  isPartial,
  ...entry
}: AuditRecord) {
  const audited = isPartial === undefined ? auditedArguments(entry.arguments) : { text: entry.arguments, isPartial };
  return {
    ...entry,
    ...(id !== undefined && { _id: new mongoose.Types.ObjectId(id) }),
    arguments: audited.text,
    ...(audited.isPartial && { is_partial: true }),
    call_id: callId,
    ...(provenance && { provenance: JSON.stringify(provenance) }),
    ...(documentId ? { document_id: documentId } : {}),
    ...(threadId === undefined ? {} : { thread_id: threadId }),
    ...(turnId === undefined ? {} : { turn_id: turnId }),
    ...(ruleId !== undefined && { rule_id: ruleId }),
    ...(error !== undefined && { error: auditedText(error) }),
  };
}

function idFilter(ids: Omit<AuditFilter, 'kind' | 'origin' | 'tool'>): Record<string, object> {
  const present = Object.entries(ids).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return Object.fromEntries(present.map(([name, id]) => [name, { $in: objectIdsOf([id]) }]));
}

function present(record: AuditEntryRecord): AuditEntry & { is_partial: boolean } {
  const {
    _id,
    organization_id: _,
    at,
    actor,
    document_id,
    thread_id,
    turn_id,
    is_partial = false,
    provenance,
    ...entry
  } = record;
  return {
    ...entry,
    id: _id.toHexString(),
    at: at.toISOString(),
    actor: actor.toHexString(),
    ...(document_id === undefined ? {} : { document_id: document_id.toHexString() }),
    ...(thread_id === undefined ? {} : { thread_id: thread_id.toHexString() }),
    ...(turn_id === undefined ? {} : { turn_id: turn_id.toHexString() }),
    ...(provenance !== undefined && { provenance: JSON.parse(provenance) as Provenance }),
    origin: record.origin ?? originOf(record),
    is_partial,
  };
}

/** The origin of an entry of a chat, which does not store it. */
function originOf({ via, headless, thread_id }: AuditEntryRecord): WriteOriginInfo {
  const kind = via === 'mcp' ? 'mcp' : headless === true ? 'run' : 'chat';
  return { kind, ...(thread_id && kind !== 'run' && { id: thread_id.toHexString() }) };
}

/** An index alone decides each alternative. */
function originFilter(origin: OriginKind): QueryFilter<AuditEntryRecord> {
  const withoutOrigin: Partial<Record<OriginKind, QueryFilter<AuditEntryRecord>>> = {
    mcp: { via: 'mcp' },
    run: { via: null, headless: true },
    chat: { via: null, headless: null },
  };
  const implied = withoutOrigin[origin];
  return implied
    ? { $or: [{ 'origin.kind': origin }, { 'origin.kind': null, ...implied }] }
    : { 'origin.kind': origin };
}
