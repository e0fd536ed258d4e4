import ipaddr from 'ipaddr.js';

/**
 * What a client is counted by: its IPv4 address, or the first 64 bits of its IPv6 address, since each customer has all
 * addresses below them. A text that is no address stays as it is.
 *
 * @example networkOf('2001:db8::7'); // '2001:db8::/64'
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}
