import { fromContainerMetadata, fromInstanceMetadata } from '@smithy/credential-provider-imds';
import { AwsV4Signer } from 'aws4fetch';

export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

/** A bucket of an S3-compatible server. */
export interface S3Place {
  endpoint: string;
  region: string;
  bucket: string;
  /** Whether the bucket is the first part of the path, and not of the host. */
  isPathStyle: boolean;
}

/** The address of an object, or of the bucket if the key is empty. */
export function addressOfObject(
  { endpoint, bucket, isPathStyle }: S3Place,
  key: string,
  query: Record<string, string> = {},
): URL {
  const url = new URL(endpoint);
  const start = url.pathname.replace(/\/+$/, '');
  if (!isPathStyle) url.hostname = `${bucket}.${url.hostname}`;
  url.pathname = `${start}/${isPathStyle ? `${bucket}/` : ''}${key.split('/').map(encoded).join('/')}`;
  url.search = Object.entries(query)
    .map(([name, value]) => `${name}=${encoded(value)}`)
    .join('&');
  return url;
}

interface Signing {
  method: string;
  region: string;
  credentials: S3Credentials;
  /** Of the body, in hexadecimal digits; by default of none. */
  sha256?: string;
  /** For tests; otherwise now. */
  datetime?: string;
}

/** The headers of a request with its signature (AWS Signature Version 4). */
export async function signedHeaders(
  url: URL,
  { method, region, credentials, sha256 = emptyHash, datetime }: Signing,
): Promise<Headers> {
  const signer = new AwsV4Signer({
    url: url.href,
    method,
    region,
    service: 's3',
    accessKeyId: credentials.accessKeyId,
    secretAccessKey: credentials.secretAccessKey,
    ...(credentials.sessionToken !== undefined && { sessionToken: credentials.sessionToken }),
    headers: { 'x-amz-content-sha256': sha256 },
    ...(datetime !== undefined && { datetime }),
  });
  const signed = await signer.sign();
  // Set by the connection.
  signed.headers.delete('host');
  return signed.headers;
}

const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/**
 * The credentials of this machine: of its environment, its container or its instance. They are renewed as they expire.
 *
 * @param noRole What to throw if it has none.
 */
export function createMachineRole(noRole: () => Error): () => Promise<S3Credentials> {
  let held: (S3Credentials & { expiration?: Date | undefined }) | undefined;
  return async () => {
    if (held && (held.expiration === undefined || held.expiration.getTime() - Date.now() > 300_000)) return held;
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
    if (AWS_ACCESS_KEY_ID !== undefined && AWS_SECRET_ACCESS_KEY !== undefined) {
      return {
        accessKeyId: AWS_ACCESS_KEY_ID,
        secretAccessKey: AWS_SECRET_ACCESS_KEY,
        sessionToken: AWS_SESSION_TOKEN,
      };
    }
    const isContainer =
      process.env['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'] ?? process.env['AWS_CONTAINER_CREDENTIALS_FULL_URI'];
    const provide = isContainer === undefined ? fromInstanceMetadata({ timeout: 2_000 }) : fromContainerMetadata();
    held = await provide().catch(() => {
      throw noRole();
    });
    return held;
  };
}

/** As AWS writes parts of addresses: all but letters, digits and four signs are escaped. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/gu,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
