import { artifactNameFrom } from '@docwright/contract';

/** Programs choose their names: only one short line of plain characters is shown. */
export function presentableName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const plain = artifactNameFrom(name)
    .replaceAll(/[^\p{L}\p{N} ._-]/gu, '')
    .trim();
  return plain.slice(0, 60).trim() || undefined;
}

/** Schemes of browsers and systems, which belong to no program that a user installs for Docwright. */
const forbidden = new Set(
  [
    'javascript data vbscript file blob about view-source filesystem content jar resource res mk mhtml help shell hcp',
    'chrome chrome-extension chrome-search devtools edge brave opera moz-extension intent android-app market',
    'smb cifs nfs afp ftp ftps sftp dav davs webdav ssh telnet ldap ldaps gopher ws wss rdp vnc',
    'mailto tel sms facetime callto itms itms-apps itms-services search search-ms magnet',
  ].flatMap((schemes) => schemes.split(' ').map((scheme) => `${scheme}:`)),
);
/** `ms-settings:`, `ms-msdt:` and others run programs of the system. */
const ofSystem = /^(?:ms-|x-apple)/u;
const loopback = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Whether a client can redirect users to an address: encrypted, on the user's own machine, or a scheme of a program
 * (RFC 8252). Schemes that browsers execute, and those of the system, are excluded.
 *
 * @example isRedirectAddress('http://127.0.0.1:33418/callback') // true
 */
export function isRedirectAddress(address: unknown): address is string {
  if (typeof address !== 'string' || address.length > 2_000 || !URL.canParse(address)) return false;
  const { protocol, hostname, hash, username, password } = new URL(address);
  if (hash !== '' || username !== '' || password !== '' || forbidden.has(protocol) || ofSystem.test(protocol))
    return false;
  return protocol !== 'http:' || loopback.has(hostname);
}

/** The recipient as a user recognizes it: the host, or the program's scheme. */
export function placeOf(address: string): string {
  const { protocol, host } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol;
}
