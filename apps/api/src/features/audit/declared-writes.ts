import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NotedKind } from '../../turn-writes/turn-write-model.ts';
import type { UnrecordedWrites } from '../../turn-writes/unrecorded-write-repository.ts';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import { requireAdmin, requireWriter, type Actor } from '../identity/index.ts';
import { isDatabaseUnavailable } from '../../platform/database/connection.ts';
import type { StorageLimit } from '../../platform/database/stored-bytes/storage-limit.ts';
import type { AuditLog, AuditRecord } from './audit-log.ts';
import { auditedArguments } from './audited-arguments.ts';

/** The name of an upload in the audit log. No agent has such a tool. */
export const uploadTool = 'upload_document';

type NameOfEach<Parameters extends readonly unknown[]> = { [Index in keyof Parameters]: string };
/** Fields of an entry that only the result knows. `document_id` is the entry's document. */
type Recorded = Record<string, unknown>;

/** A write for the audit log, right before it is made. */
export interface NotedWrite {
  /** What shows that it was made: the record of this kind names its call, or exists (`purge`: no longer) under its id. */
  kind: NotedKind;
  recordId?: string;
  /** What is recorded in place of the arguments. */
  fields?: Recorded;
}

/**
 * Notes the entry of a write that cannot be undone, right before it: a process that ends after the write then leaves what to
 * record. Each write gets an entry and a call.
 */
export type NoteWrite = (...writes: NotedWrite[]) => Promise<{
  callIds: readonly string[];
  /** For what is not made after all. */
  withdraw(): Promise<void>;
}>;

/** A writing method of a service. */
interface DeclaredWrite<Args extends unknown[]> {
  /** The name in the audit log: the agent's tool of the same effect, where there is one. */
  tool: string;
  /**
   * A name for each parameter, as the audit log shows it. `...` merges the fields of an object, `-` is not recorded, and
   * `document_id` is the document that it concerns. A write that can be undone notes the state before it under its
   * `origin`; any other one calls its `note`, a `NoteWrite`, right before it.
   */
  takes: NameOfEach<Required<Args>>;
  /** Who may do it. */
  right?: 'writer' | 'admin';
}

export type DeclaredWrites<Service> = {
  [Name in keyof Service]?: Service[Name] extends (...args: infer Args) => Promise<unknown>
    ? DeclaredWrite<Args>
    : never;
};
type AnyWrite = DeclaredWrite<unknown[]>;

/**
 * Wraps a service, so that its declared methods check the caller's right and record themselves. A write without an
 * origin gets one of its own, by which it can be undone; a write with one belongs to a turn or run, which records it.
 */
export type AuditWrites = <Service extends object>(
  writes: DeclaredWrites<Service>,
  serviceFor: (actor: Actor) => Service,
) => (actor: Actor) => Service;

/**
 * Declares the writes of a service once, for the audit log, the rights and the origin.
 *
 * @example
 * const tagWrites = declareWrites<TagService>({ delete: { tool: 'delete_tag', takes: ['tag_id', 'origin'] } });
 */
export function declareWrites<Service>(writes: DeclaredWrites<Service>): DeclaredWrites<Service> {
  for (const { tool } of Object.values<AnyWrite>(writes as never)) declaredTools.add(tool);
  return writes;
}

const declaredTools = new Set<string>();

/** The name of every declared write, in the audit log. */
export const listDeclaredTools = (): string[] => [...declaredTools].toSorted((a, b) => a.localeCompare(b));

export function createAuditWrites(
  auditOf: (organizationId: string) => AuditLog,
  storageLimit: Pick<StorageLimit, 'requireRoom'>,
  notes: Pick<UnrecordedWrites, 'add' | 'withdraw'>,
): AuditWrites {
  return (writes, serviceFor) => (actor) => {
    const service = serviceFor(actor);
    const audited = Object.entries<AnyWrite>(writes as never).map(([name, declared]) => [
      name,
      auditedMethod(
        actor,
        { audit: auditOf(actor.organizationId), storageLimit, notes },
        declared,
        (service as Record<string, unknown>)[name] as never,
      ),
    ]);
    return { ...service, ...Object.fromEntries(audited) };
  };
}

/** Writes that remove, stop or take back, also where an organization stores all that it can. */
const removing = /^(?:delete|purge|stop|undo|bulk)_/u;

interface AuditedMethodNeeds {
  audit: AuditLog;
  storageLimit: Pick<StorageLimit, 'requireRoom'>;
  notes: Pick<UnrecordedWrites, 'add' | 'withdraw'>;
}

function auditedMethod(
  actor: Actor,
  { audit, storageLimit, notes }: AuditedMethodNeeds,
  { tool, takes, right = 'writer' }: AnyWrite,
  write: (...args: unknown[]) => Promise<unknown>,
) {
  const originAt = takes.indexOf('origin');
  const noteAt = takes.indexOf('note');
  return async (...args: unknown[]): Promise<unknown> => {
    (right === 'admin' ? requireAdmin : requireWriter)(actor);
    if (!removing.test(tool)) await storageLimit.requireRoom(actor.organizationId);
    if (originAt >= 0 && args[originAt] !== undefined) return await write(...args);
    const callId = `api-${randomUUID()}`;
    const source = actor.source ?? { kind: 'api' };
    const entryOf = (fields: Recorded, id = callId): AuditRecord => {
      const { text, isPartial } = auditedArguments(JSON.stringify(fields));
      return {
        kind: 'executed',
        actor: actor.userId,
        callId: id,
        tool,
        arguments: text,
        isPartial,
        success: true,
        origin: source,
        ...(typeof fields['document_id'] === 'string' && { documentId: fields['document_id'] }),
        ...(actor.token && { token: actor.token }),
      };
    };
    let entries: AuditRecord[] = originAt >= 0 ? [entryOf(namedArguments(takes, args))] : [];
    const note: NoteWrite = async (...writes) => {
      entries = [];
      for (const [index, { fields }] of writes.entries()) {
        const id = index === 0 ? callId : `${callId}-${index}`;
        entries.push(entryOf(fields ?? namedArguments(takes, args), id));
      }
      const callIds = entries.map((entry) => entry.callId);
      const noted = writes.map(({ kind, recordId }, at) => {
        return { callId: callIds[at]!, tool, kind, recordId, entry: JSON.stringify(entries[at]) };
      });
      await notes.add(actor.organizationId, noted);
      return { callIds, withdraw: () => notes.withdraw(actor.organizationId, callIds) };
    };
    const [named] = entries;
    const origin: WriteOrigin = {
      call_id: callId,
      turn_id: callId,
      source,
      user_id: actor.userId,
      ...(named && { audit_entry: JSON.stringify(named) }),
    };
    const given = Array.from({ length: Math.max(args.length, originAt + 1, noteAt + 1) }, (_, at) =>
      at === originAt ? origin : at === noteAt ? note : args[at],
    );
    const result = await write(...given);
    await recordSurely(audit, entries.length > 0 ? entries : [entryOf(namedArguments(takes, args))]);
    return result;
  };
}

const maxAttempts = 20;
const pauseMs = 500;

/**
 * The write is done, so its entry must follow: it is tried again while the database is away. An entry is stored once. If the
 * process ends before, a job stores the entry that the write's note has (`record-left-writes.ts`).
 */
async function recordSurely(audit: AuditLog, entries: readonly AuditRecord[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await audit.record(entries);
    } catch (error) {
      if (!isDatabaseUnavailable(error) || attempt >= maxAttempts) throw error;
      await sleep(pauseMs);
    }
  }
}

function namedArguments(names: readonly string[], args: readonly unknown[]): Recorded {
  const fields = names.map((name, index): object => {
    const value = args[index];
    if (name === 'origin' || name === 'note' || name === '-' || value === undefined) return {};
    return name === '...' ? (value as object) : { [name]: value };
  });
  return Object.assign({}, ...fields) as Recorded;
}
