import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
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

/** A writing method of a service. */
interface DeclaredWrite<Args extends unknown[], Result> {
  /** The name in the audit log: the agent's tool of the same effect, where there is one. */
  tool: string;
  /**
   * A name for each parameter, as the audit log shows it. `...` merges the fields of an object, `-` is not recorded, and
   * `origin` is where the write comes from. `document_id` is the document that it concerns.
   */
  takes: NameOfEach<Required<Args>>;
  /** Who may do it. */
  right?: 'writer' | 'admin';
  /** What is recorded in place of the arguments, an entry for each. */
  records?: (result: Result, ...args: Args) => Recorded[];
}

export type DeclaredWrites<Service> = {
  [Name in keyof Service]?: Service[Name] extends (...args: infer Args) => Promise<infer Result>
    ? DeclaredWrite<Args, Result>
    : never;
};
type AnyWrite = DeclaredWrite<unknown[], unknown>;

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
): AuditWrites {
  return (writes, serviceFor) => (actor) => {
    const service = serviceFor(actor);
    const audited = Object.entries<AnyWrite>(writes as never).map(([name, declared]) => [
      name,
      auditedMethod(
        actor,
        { audit: auditOf(actor.organizationId), storageLimit },
        declared,
        (service as Record<string, unknown>)[name] as never,
      ),
    ]);
    return { ...service, ...Object.fromEntries(audited) };
  };
}

/** Writes that remove, stop or take back, also where an organization stores all that it can. */
const removing = /^(?:delete|purge|stop|undo|bulk)_/u;

function auditedMethod(
  actor: Actor,
  { audit, storageLimit }: { audit: AuditLog; storageLimit: Pick<StorageLimit, 'requireRoom'> },
  { tool, takes, right = 'writer', records }: AnyWrite,
  write: (...args: unknown[]) => Promise<unknown>,
) {
  const originAt = takes.indexOf('origin');
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
    const named = records ? undefined : entryOf(namedArguments(takes, args));
    const origin: WriteOrigin = {
      call_id: callId,
      turn_id: callId,
      source,
      user_id: actor.userId,
      ...(named && { audit_entry: JSON.stringify(named) }),
    };
    const given = Array.from({ length: Math.max(args.length, originAt + 1) }, (_, at) =>
      at === originAt ? origin : args[at],
    );
    const result = await write(...given);
    const entries = (records?.(result, ...args) ?? []).map((fields, index) =>
      entryOf(fields, index === 0 ? callId : `${callId}-${index}`),
    );
    await recordSurely(audit, named ? [named] : entries);
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
    if (name === 'origin' || name === '-' || value === undefined) return {};
    return name === '...' ? (value as object) : { [name]: value };
  });
  return Object.assign({}, ...fields) as Recorded;
}
