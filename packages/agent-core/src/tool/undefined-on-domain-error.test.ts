import { DomainError } from '@docwright/contract';
import { expect, it } from 'vitest';
import { undefinedOnDomainError } from './undefined-on-domain-error.ts';

it('returns the value, and undefined for an expected failure', async () => {
  expect(await undefinedOnDomainError(() => 'a value')).toBe('a value');
  const deleted = () => Promise.reject(new DomainError('not_found', 'tag_not_found', 'The tag was deleted.'));
  expect(await undefinedOnDomainError(deleted)).toBeUndefined();
});

it('throws any other error', async () => {
  await expect(undefinedOnDomainError(() => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
});
