import { expect, it } from 'vitest';
import { createHostGuard, type ResolveHost, isPublicAddress } from './host-guard.ts';
const names: Record<string, string[]> = {
  'api.example.com': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
  'inside.example.com': ['10.0.0.5'],
  'both.example.com': ['93.184.216.34', '127.0.0.1'],
  'six.example.com': ['fd00:ec2::254'],
  'models.corp.example': ['192.168.1.20'],
};
const resolve: ResolveHost = async (host) => {
  const found = names[host];
  if (!found) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
  return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};
const guard = createHostGuard([], resolve);

it.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'not an address',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each(['8.8.8.8', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001:81b::200a'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

it.each([
  'http://localhost:11434/v1',
  'http://LOCALHOST./v1',
  'http://anything.localhost/v1',
  'http://printer.local/v1',
  'http://metadata.google.internal/v1',
  'http://127.0.0.1/v1',
  'http://127.0.0.1./v1',
  'http://127.1/v1',
  'http://2130706433/v1',
  'http://017700000001/v1',
  'http://0177.0.0.1/v1',
  'http://0x7f.1/v1',
  'http://0x7f000001/v1',
  'http://①②⑦.0.0.1/v1',
  'http://127。0。0。1/v1',
  'http://%31%32%37.0.0.1/v1',
  'http://0/v1',
  'http://169.254.169.254/latest',
  'http://2852039166/latest',
  'http://[::1]/v1',
  'http://[::]/v1',
  'http://[::ffff:127.0.0.1]/v1',
  'http://[0:0:0:0:0:ffff:7f00:1]/v1',
  'http://[::127.0.0.1]/v1',
  'http://[64:ff9b::127.0.0.1]/v1',
  'http://[2002:7f00:0001::]/v1',
  'http://[fd12::1]/v1',
  'http://[fe80::1]/v1',
  'http://inside.example.com/v1',
  'http://INSIDE.example.com./v1',
  'https://both.example.com/v1',
  'https://six.example.com/v1',
  'http://api.example.com@127.0.0.1/v1',
  'https://user:password@api.example.com/v1',
  'https://api.example.com/v1?key=secret',
  'https://api.example.com/v1#part',
  'ftp://api.example.com/v1',
  'file:///etc/passwd',
  'api.example.com/v1',
  'http://',
])('refuses %s', async (url) => {
  await expect(guard.checkUrl(url)).rejects.toMatchObject({ kind: 'invalid', code: 'base_url_refused' });
});

it.each(['https://api.example.com/v1', 'https://8.8.8.8/v1', 'https://[2606:4700::1111]:8443/v1'])(
  'allows %s',
  async (url) => {
    await expect(guard.checkUrl(url)).resolves.toBeUndefined();
  },
);

it('allows a name that cannot be resolved yet, and refuses to connect to it', async () => {
  await expect(guard.checkUrl('https://away.example.com/v1')).resolves.toBeUndefined();
  await expect(guard.addressesOf('away.example.com', 443)).rejects.toThrow('ENOTFOUND');
});

it('allows the hosts that the operator lists, only at the listed port if there is one', async () => {
  const allowing = createHostGuard(['localhost:11434', 'models.corp.example', '::1', '[fd00::2]:8080'], resolve);
  const withLocalhost = createHostGuard(['127.0.0.1'], async () => [{ address: '127.0.0.1', family: 4 }]);
  const isAllowed = async (guarded: typeof guard, url: string) =>
    await guarded.checkUrl(url).then(
      () => true,
      () => false,
    );
  expect(await isAllowed(allowing, 'http://localhost:11434/v1')).toBe(true);
  expect(await isAllowed(allowing, 'http://localhost.:11434/v1')).toBe(true);
  expect(await isAllowed(allowing, 'http://localhost:11435/v1')).toBe(false);
  expect(await isAllowed(allowing, 'http://Models.Corp.Example/v1')).toBe(true);
  expect(await isAllowed(allowing, 'http://models.corp.example:9000/v1')).toBe(true);
  expect(await isAllowed(allowing, 'http://inside.example.com/v1')).toBe(false);
  expect(await isAllowed(allowing, 'http://[::1]:1/v1')).toBe(true);
  expect(await isAllowed(allowing, 'http://[fd00::2]:8080/v1')).toBe(true);
  expect(await isAllowed(allowing, 'http://[fd00::2]:8081/v1')).toBe(false);
  expect(await isAllowed(withLocalhost, 'http://0x7f.1:5/v1')).toBe(true);
  expect(await isAllowed(withLocalhost, 'http://elsewhere.example.com/v1')).toBe(false);
});
