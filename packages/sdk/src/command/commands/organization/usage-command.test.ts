import { expect, it } from 'vitest';
import { storageLine } from './usage-command.ts';

it('says what is stored, and how much may be', () => {
  const megabyte = 1024 * 1024;
  expect(storageLine({ stored_bytes: 1.5 * megabyte, stored_bytes_limit: 200 * megabyte })).toBe(
    'Stored, with the trash: 1.5 of 200 MB.',
  );
  expect(storageLine({ stored_bytes: 0, stored_bytes_limit: null })).toBe('Stored, with the trash: 0 of unlimited MB.');
});
