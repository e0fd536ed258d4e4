import { clientError } from './docwright-error.ts';

/** Undefined parameters are omitted. */
type QueryValue = string | number | boolean | string[] | undefined;

/** Query parameters of a list. Arrays are sent comma-separated. */
export type Query = Readonly<Record<string, QueryValue>>;

/** Builds a path of encoded segments. An empty or dotted segment is refused, because it would address another route. */
export function pathOf(segments: readonly string[]): string {
  for (const segment of segments) {
    if (typeof segment !== 'string' || segment === '' || segment === '.' || segment === '..') {
      throw clientError('invalid_argument', `"${segment}" is not a valid id.`);
    }
  }
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');
}

/** Builds a query with its question mark; empty without parameters. */
export function queryString(query: Query): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) params.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
