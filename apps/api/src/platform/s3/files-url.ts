import type { S3Place } from './s3-requests.ts';

/** Where the original files of documents are stored. */
export interface FilesPlace extends S3Place {
  /** Before the id of each file, such as `docwright/`. */
  prefix: string;
}

const parameters = new Set(['endpoint', 'region', 'path_style']);

/**
 * Reads `s3://bucket/prefix?endpoint=https://…&region=…&path_style=true`. Without an endpoint it is Amazon's of the region.
 * With one, the bucket is the first part of the path unless `path_style` is `false`.
 *
 * @throws Error that says what the address takes.
 * @example
 * filesPlaceOf('s3://files/docwright?endpoint=http://minio:9000').prefix; // 'docwright/'
 */
export function filesPlaceOf(text: string): FilesPlace {
  const takes = 'takes s3://bucket/prefix?endpoint=https://…&region=…&path_style=true';
  if (!text.startsWith('s3://') || !URL.canParse(text)) throw new Error(takes);
  const { hostname: bucket, pathname, searchParams, username, password, port } = new URL(text);
  if (username !== '' || password !== '')
    throw new Error('takes no key: set FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY');
  for (const name of searchParams.keys()) if (!parameters.has(name)) throw new Error(`${takes}, not ${name}`);
  if (port !== '' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/u.test(bucket))
    throw new Error(`${takes}, with the name of a bucket`);
  const prefix = decodeURIComponent(pathname.slice(1)).replace(/\/+$/u, '');
  if (prefix.split('/').some((part) => part === '.' || part === '..') || prefix.length > 500) throw new Error(takes);
  const region = searchParams.get('region') ?? 'us-east-1';
  if (!/^[a-z0-9-]{1,40}$/u.test(region)) throw new Error(`${takes}, with a region such as eu-central-1`);
  const given = searchParams.get('endpoint') ?? undefined;
  if (given !== undefined && !(URL.canParse(given) && /^https?:\/\/[^/?#@]+\/?$/u.test(given)))
    throw new Error(`${takes}, with an endpoint that starts with http:// or https:// and has no path`);
  const style = searchParams.get('path_style') ?? String(given !== undefined);
  if (style !== 'true' && style !== 'false') throw new Error(`${takes}, with path_style true or false`);
  return {
    endpoint: given ?? `https://s3.${region}.amazonaws.com`,
    region,
    bucket,
    isPathStyle: style === 'true',
    prefix: prefix === '' ? '' : `${prefix}/`,
  };
}
