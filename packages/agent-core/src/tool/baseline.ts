import { createHash } from 'node:crypto';

/** The state of an object that a write changes or depends on. Plain JSON, stored with the pending turn. */
export interface ObjectState {
  /** Kind and id of the object, for example `schema:65f…`. */
  readonly thing: string;
  /** The object's name for users, for example `schema “Invoice”`. */
  readonly name: string;
  /** The object's properties as text; a long one as its `fingerprint`. */
  readonly state: Readonly<Record<string, string>>;
}

/** The state of a write's objects at its proposal: first the object it changes, then those it depends on. */
export type Baseline = readonly ObjectState[];

const fingerprintPrefix = 'sha256:';

/** A hash in place of a value that is too long to store. */
export function fingerprint(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return `${fingerprintPrefix}${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

/** Describes the changes between two states as a text for model and user; undefined if there are none. */
export function differenceBetween(before: Baseline, now: Baseline): string | undefined {
  const changes = before.flatMap((object) => {
    const current = now.find(({ thing }) => thing === object.thing);
    if (current === undefined) return [`it was to work on the ${object.name}, and would work on something else now`];
    const properties = changedProperties(object.state, current.state);
    return properties.length === 0 ? [] : [`the ${object.name} has changed (${properties.join(', ')})`];
  });
  return changes.length === 0 ? undefined : changes.join('; ');
}

function changedProperties(before: ObjectState['state'], now: ObjectState['state']): string[] {
  return Object.entries(before).flatMap(([property, was]) => {
    const is = now[property] ?? 'none';
    if (is === was) return [];
    return [was.startsWith(fingerprintPrefix) ? property : `${property} was ${was} and is ${is}`];
  });
}
