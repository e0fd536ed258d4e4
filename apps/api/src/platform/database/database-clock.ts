/**
 * Leases are written and checked by the database's clock, which all processes share. A process with a wrong clock
 * neither loses its leases nor takes those of others.
 */

/** The time this many milliseconds from now, for an update pipeline. */
export function untilIn(milliseconds: number): { $add: [string, number] } {
  return { $add: ['$$NOW', milliseconds] };
}

/** An expression: true if the time in the field has passed or the field is absent. */
export function isOver(field: string): { $lt: [string, string] } {
  return { $lt: [`$${field}`, '$$NOW'] };
}

/** The opposite of `isOver`: true if the field has a time that has not passed. */
export function isAhead(field: string): { $gte: [string, string] } {
  return { $gte: [`$${field}`, '$$NOW'] };
}

/**
 * Fields as literals for an update pipeline, which would read a text that starts with a dollar sign as a field path.
 */
export function literal(fields: object): Record<string, { $literal: unknown }> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name, { $literal: value }]));
}

/**
 * Alternatives for the time of a claim: the time has come, is no date, or is further ahead than a process with a sound clock can have
 * set it. Work with such a time would wait for ever.
 *
 * @param agoMs how long ago the time must be
 */
export function isDue(field: string, furthestMs: number, agoMs = 0): Record<string, object>[] {
  const now = Date.now();
  const cases = [
    { $lte: new Date(now - agoMs) },
    { $gt: new Date(now + furthestMs) },
    { $gte: '' },
    { $gte: -Infinity },
  ];
  return cases.map((each) => ({ [field]: each }));
}
