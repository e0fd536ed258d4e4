import { createHash } from 'node:crypto';

/** One thing that a write changes or builds on, as it stood when it was looked at. Plain JSON. */
export interface SeenThing {
  /** Its kind and id, `schema:…`; two looks at the same thing have the same. */
  readonly thing: string;
  /** For a person: `schema “Invoice”`. */
  readonly name: string;
  /** Its aspects in words; a long one as its `fingerprint`. */
  readonly state: Readonly<Record<string, string>>;
}

/** What a write saw when it was proposed: first the thing it changes, then what it builds on. */
export type Baseline = readonly SeenThing[];

const mark = 'sha256:';

/** A value that is too long to be kept, as something that differs when it does. */
export function fingerprint(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return `${mark}${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

/** In words, how things have moved on between two looks; undefined where they have not. */
export function differenceBetween(before: Baseline, now: Baseline): string | undefined {
  const changes = before.flatMap((seen) => {
    const found = now.find(({ thing }) => thing === seen.thing);
    if (found === undefined) return [`it was to work on the ${seen.name}, and would work on something else now`];
    const aspects = changedAspects(seen.state, found.state);
    return aspects.length === 0 ? [] : [`the ${seen.name} has changed (${aspects.join(', ')})`];
  });
  return changes.length === 0 ? undefined : changes.join('; ');
}

function changedAspects(before: SeenThing['state'], now: SeenThing['state']): string[] {
  return Object.entries(before).flatMap(([aspect, was]) => {
    const is = now[aspect] ?? 'none';
    if (is === was) return [];
    return [was.startsWith(mark) ? aspect : `${aspect} was ${was} and is ${is}`];
  });
}
