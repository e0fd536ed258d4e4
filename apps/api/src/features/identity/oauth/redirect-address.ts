const forbidden = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'view-source:']);
const loopback = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Whether a client may have people sent to an address: encrypted, on the person's own machine, or a scheme of a program
 * (RFC 8252). Nothing that a browser would run.
 *
 * @example isRedirectAddress('http://127.0.0.1:33418/callback') // true
 */
export function isRedirectAddress(address: unknown): address is string {
  if (typeof address !== 'string' || address.length > 2_000 || !URL.canParse(address)) return false;
  const { protocol, hostname, hash, username, password } = new URL(address);
  if (hash !== '' || username !== '' || password !== '' || forbidden.has(protocol)) return false;
  return protocol !== 'http:' || loopback.has(hostname);
}

/** Whom a person lets in, as they can tell it: the host, or the scheme of a program. */
export function placeOf(address: string): string {
  const { protocol, host } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol;
}
