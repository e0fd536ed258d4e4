import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { DomainError } from '@docwright/contract';
import ipaddr from 'ipaddr.js';

interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves a host name to all its addresses; rejects if there are none. */
export type ResolveHost = (hostname: string) => Promise<readonly ResolvedAddress[]>;

const resolveWithSystem: ResolveHost = (hostname) => lookup(hostname, { all: true });

/** Decides which hosts a URL from a user can lead to. */
export type HostGuard = ReturnType<typeof createHostGuard>;

/** Names of this machine or network, whatever a resolver answers. */
const localName = /(^|\.)(localhost|local|localdomain|internal|lan|home\.arpa)$/;
const resolveTimeoutMs = 3_000;

/** @param allowedHosts private hosts, or host:port, that are allowed. */
export function createHostGuard(allowedHosts: readonly string[], resolve: ResolveHost = resolveWithSystem) {
  const allowed = new Set(allowedHosts.map(normalEntry));

  const isListedHost = (host: string, port: number) => allowed.has(host) || allowed.has(`${host}:${port}`);

  async function addressesOf(hostname: string, port: number): Promise<readonly ResolvedAddress[]> {
    const host = normalHost(hostname);
    const isAllowed = isListedHost(host, port);
    const family = isIP(host);
    if (!isAllowed && localName.test(host)) throw refused(host);
    const addresses = family === 0 ? await resolve(host) : [{ address: host, family }];
    if (!isAllowed && !addresses.every(({ address }) => isPublicAddress(address))) throw refused(host);
    return addresses;
  }

  return {
    /**
     * The addresses to connect to for a host: all public, unless the host is allowed. Throws `address_refused` otherwise,
     * and errors of the resolver.
     */
    addressesOf,
    /** Whether the operator's list contains the URL's host. */
    isListed: (url: Pick<URL, 'hostname' | 'port' | 'protocol'>) => isListedHost(normalHost(url.hostname), portOf(url)),
    /**
     * Rejects a URL that is not http(s), contains credentials, or leads to a private host that is not allowed
     * (`base_url_refused`). An unresolvable name passes: each connection checks again.
     */
    async checkUrl(text: string) {
      const url = URL.parse(text);
      if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') {
        throw badUrl('A base_url is an address that starts with http:// or https://.');
      }
      if (url.username !== '' || url.password !== '') {
        throw badUrl('A base_url carries no user or password. Give the key as the token.');
      }
      if (url.search !== '' || url.hash !== '') throw badUrl('A base_url has no query and no fragment.');
      const timeout = AbortSignal.timeout(resolveTimeoutMs);
      const timedOut = new Promise<void>((done) => timeout.addEventListener('abort', () => done()));
      const checked = addressesOf(url.hostname, portOf(url)).catch((error: unknown) => {
        if (error instanceof DomainError) throw badUrl(`${whyRefused(normalHost(url.hostname))} ${howToAllow}`);
      });
      await Promise.race([checked, timedOut]);
    },
  };
}

function portOf({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** The host as URLs write it: lower case, IPv4 in four decimals, no brackets, no trailing dot. */
function normalHost(hostname: string): string {
  const bracketed = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
  const written = URL.parse(`http://${bracketed}`)?.hostname ?? hostname.toLowerCase();
  return written.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

function normalEntry(entry: string): string {
  const port = isIP(entry) === 6 ? undefined : /:(\d+)$/.exec(entry)?.[1];
  return port === undefined ? normalHost(entry) : `${normalHost(entry.slice(0, -port.length - 1))}:${port}`;
}

const howToAllow = 'The operator can allow it in LLM_ALLOWED_HOSTS.';

function whyRefused(host: string): string {
  return `${host} is a private address, or leads to one.`;
}

/**
 * For users of a model, who need not learn its address; the user who sets the address gets the reason from `checkUrl`.
 */
function refused(host: string): DomainError {
  const message = `The model's address is private or leads to a private one, so it is not used. ${howToAllow}`;
  return new DomainError('model_failed', 'address_refused', message, undefined, { cause: new Error(whyRefused(host)) });
}

function badUrl(message: string): DomainError {
  return new DomainError('invalid', 'base_url_refused', message);
}

/** The allocated public IPv6 space. Embedded IPv4 addresses lie outside of it or are excluded by name. */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** Azure's platform services: a public address that only machines in Azure reach. */
const azurePlatform = '168.63.129.16';

/**
 * Whether an IP address is public: not private, loopback, link-local, shared (CGNAT), multicast, unspecified, reserved
 * or a machine's own metadata, and no IPv6 wrapping of an IPv4 address (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || parsed.toString() === azurePlatform) return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(globalUnicast);
}
