import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createTokenVault, isMasked, maskToken } from './provider-token.ts';

const key = randomBytes(32);
const vault = createTokenVault(key);
const place = { organizationId: 'a', provider: 'acme', origin: 'https://api.example.com' };

it('opens a sealed token only for the same place and with the same secret', () => {
  const sealed = vault.seal('sk-secret', place);
  expect(vault.open(sealed, place)).toBe('sk-secret');
  expect(vault.seal('sk-secret', place)).not.toBe(sealed);
  expect(vault.open(sealed, { ...place, organizationId: 'b' })).toBeUndefined();
  expect(vault.open(sealed, { ...place, provider: 'other' })).toBeUndefined();
  expect(vault.open(sealed, { ...place, origin: 'https://evil.example.com' })).toBeUndefined();
  expect(createTokenVault(randomBytes(32)).open(sealed, place)).toBeUndefined();
});

it('does not open a changed or truncated token', () => {
  const sealed = vault.seal('sk-secret', place);
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const tampered = Buffer.from(bytes);
    tampered[at]! ^= 1;
    expect(vault.open(`v1.${tampered.toString('base64url')}`, place)).toBeUndefined();
    expect(vault.open(`v1.${bytes.subarray(0, at).toString('base64url')}`, place)).toBeUndefined();
  }
  for (const other of ['', 'v1', 'v1.', `v2.${sealed.slice(3)}`, 'sk-secret']) {
    expect(vault.open(other, place)).toBeUndefined();
  }
});

it('shows only the prefix and the end of a token', () => {
  expect(maskToken('sk-0123456789abcdefWXYZ')).toBe('sk-…WXYZ');
  expect(maskToken('0123456789abcdefWXYZ')).toBe('…WXYZ');
  expect(maskToken('short')).toBe('…');
  expect([isMasked(maskToken('short')), isMasked('sk-0123')]).toEqual([true, false]);
});
