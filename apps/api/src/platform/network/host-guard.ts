import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { DomainError } from '@docwright/contract';
import ipaddr from 'ipaddr.js';

interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a host name; rejects where there are none. */
export type ResolveHost = (hostname: string) => Promise<readonly ResolvedAddress[]>;

const resolveWithSystem: ResolveHost = (hostname) => lookup(hostname, { all: true });

/** Which hosts an address that a person gave may lead to. */
export interface HostGuard {
  /**
   * Refuses an address that is none of http(s), carries credentials, or leads to a host that is not public and not
   * allowed (`base_url_refused`). A name that cannot be resolved just now passes: each connection checks again.
   */
  checkUrl(url: string): Promise<void>;
  /**
   * Where to connect for a host: all of its addresses, all of them public or the host allowed. Throws `address_refused`
   * otherwise, and what the resolver throws.
   */
  addressesOf(hostname: string, port: number): Promise<readonly ResolvedAddress[]>;
  /** Whether the operator lists the host of an address. */
  isListed(url: Pick<URL, 'hostname' | 'port' | 'protocol'>): boolean;
}

/** Names that mean this machine or this network, whatever a resolver makes of them. */
const localName = /(^|\.)(localhost|local|localdomain|internal|lan|home\.arpa)$/;
const resolveTimeoutMs = 3_000;

/** @param allowedHosts hosts or host:port that may be named although they are private. */
export function createHostGuard(allowedHosts: readonly string[], resolve: ResolveHost = resolveWithSystem): HostGuard {
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
    addressesOf,
    isListed: (url) => isListedHost(normalHost(url.hostname), portOf(url)),
    async checkUrl(text) {
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

/** As URLs write it: lower case, IPv4 in four decimals, no brackets, no trailing dot. */
function normalHost(hostname: string): string {
  const bracketed = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
  const written = URL.parse(`http://${bracketed}`)?.hostname ?? hostname.toLowerCase();
  return written.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

function normalEntry(entry: string): string {
  const port = isIP(entry) === 6 ? undefined : /:(\d+)$/.exec(entry)?.[1];
  return port === undefined ? normalHost(entry) : `${normalHost(entry.slice(0, -port.length - 1))}:${port}`;
}

const howToAllow = 'Whoever runs the server can allow it in LLM_ALLOWED_HOSTS.';

function whyRefused(host: string): string {
  return `${host} is a private address, or leads to one.`;
}

/** Told to whoever uses a model, who need not know where it is; whoever names an address is told by `checkUrl`. */
function refused(host: string): DomainError {
  const message = `The model's address is private, or leads to a private one, and is not connected to. ${howToAllow}`;
  return new DomainError('model_failed', 'address_refused', message, undefined, { cause: new Error(whyRefused(host)) });
}

function badUrl(message: string): DomainError {
  return new DomainError('invalid', 'base_url_refused', message);
}

/** What the whole internet may reach, of IPv6: all that is handed out so far. Embedded IPv4 addresses lie outside or are named. */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** Azure's platform services, on a public address that only machines in Azure reach. */
const azurePlatform = '168.63.129.16';

/**
 * Whether an IP address is one of the internet at large: not private, loopback, link-local, shared (CGNAT), multicast,
 * unspecified, reserved or a machine's own metadata, and no IPv6 wrapping of an IPv4 address (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || parsed.toString() === azurePlatform) return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(globalUnicast);
}
