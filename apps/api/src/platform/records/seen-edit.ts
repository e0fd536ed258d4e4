import { isDeepStrictEqual } from 'node:util';
import { DomainError, type SeenFields } from '@docwright/contract';

/** Selects the record while the fields that a change sets are as they were read. */
type Unchanged = (set: object) => object;

interface Edit<Stored, Shown extends object> {
  /** Names the record in messages. */
  what: string;
  seen: SeenFields;
  read: () => Promise<Stored | null | undefined>;
  /** The record as answers show it. */
  present: (stored: Stored) => Shown;
}

const maxAttempts = 20;

/**
 * Makes a change only while the record is as its user saw it: what they saw is compared with the record, and what the change
 * replaces in the filter of the write itself, so that two changes at once do not cross. Without `seen`, it is just written.
 * Throws `version_conflict`.
 *
 * @param write returns undefined if its filter, which includes that of `unchanged`, matched nothing
 */
export async function editAsSeen<Stored extends object, Shown extends object, Written>(
  { what, seen, read, present }: Edit<Stored, Shown>,
  write: (unchanged: Unchanged) => Promise<Written | null | undefined>,
): Promise<Written | undefined> {
  if (seen === undefined) return (await write(() => ({}))) ?? undefined;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const stored = (await read()) ?? undefined;
    if (stored === undefined) return undefined;
    requireSeen(what, seen, present(stored));
    const written = (await write((set) => asRead(stored, set))) ?? undefined;
    if (written !== undefined) return written;
  }
  throw new Error(`The ${what} had too many concurrent changes. Try again.`);
}

/** Throws `version_conflict` if a field is no longer as its user saw it. */
export function requireSeen(what: string, seen: SeenFields, present: object): void {
  const now = new Map(Object.entries(present));
  const changed = Object.entries(seen ?? {})
    .filter(([name, value]) => !isDeepStrictEqual(plain(now.get(name)), plain(value)))
    .map(([name]) => name);
  if (changed.length === 0) return;
  throw new DomainError(
    'conflict',
    'version_conflict',
    `Somebody has changed the ${what} since you read it: ${named(changed)}. Read it again, and repeat your change on what it is now.`,
    { changed },
  );
}

const maxNamed = 10;

function named(fields: readonly string[]): string {
  const more = fields.length - maxNamed;
  return fields.slice(0, maxNamed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Leaves out fields that an answer adds from other records: no change of this one crosses theirs. */
export function withoutAdded(seen: SeenFields, ...added: string[]): SeenFields {
  return seen && Object.fromEntries(Object.entries(seen).filter(([name]) => !added.includes(name)));
}

/** Selects the stored record while these fields are as they were read. A stored object can have keys like those of operators. */
export function asRead(stored: object, set: object): object {
  return Object.fromEntries(Object.keys(set).map((path) => [path, { $eq: valueAt(stored, path) ?? null }]));
}

function valueAt(stored: object, path: string): unknown {
  let value: unknown = stored;
  for (const key of path.split('.')) value = new Map(Object.entries(value ?? {})).get(key);
  return value;
}

/** As JSON has it, and without what is absent: answers leave out what is not set. */
function plain(value: unknown): unknown {
  return value === undefined || value === null ? null : JSON.parse(JSON.stringify(value));
}
