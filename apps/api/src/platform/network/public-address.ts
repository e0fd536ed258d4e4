import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

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
