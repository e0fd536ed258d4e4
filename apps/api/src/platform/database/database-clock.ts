/**
 * Leases are written and judged by the database's clock, the one that all processes share: one whose own clock is wrong
 * neither loses what it holds nor takes what others hold.
 */

/** A time so long from now, in an update that is a pipeline. */
export function untilIn(milliseconds: number): { $add: [string, number] } {
  return { $add: ['$$NOW', milliseconds] };
}

/** Whether the time in a field has come, or there is none: an expression. */
export function isOver(field: string): { $lt: [string, string] } {
  return { $lt: [`$${field}`, '$$NOW'] };
}

/** Fields as they are, in a pipeline, where a text that begins with a dollar sign would be read as the path of a field. */
export function literal(fields: object): Record<string, { $literal: unknown }> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name, { $literal: value }]));
}
