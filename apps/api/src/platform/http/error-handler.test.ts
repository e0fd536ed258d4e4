import { DomainError, type ErrorBody } from '@docwright/contract';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { errorHandler } from './error-handler.ts';

async function failWith(error: unknown) {
  const app = fastify();
  await app.register(errorHandler);
  app.get('/', async () => {
    throw error;
  });
  const answer = await app.inject({ url: '/' });
  await app.close();
  return { status: answer.statusCode, text: answer.body, error: answer.json<ErrorBody>().error };
}

test.each([
  ['invalid', 400],
  ['budget_exhausted', 402],
  ['forbidden', 403],
  ['conflict', 409],
  ['too_large', 413],
  ['model_failed', 502],
  ['not_ready', 503],
  ['storage_full', 507],
] as const)('a domain error %s is %i with its code, message and details', async (kind, expected) => {
  const { status, error } = await failWith(new DomainError(kind, 'some_code', 'Do this.', { field: 1 }));
  expect(status).toBe(expected);
  expect(error).toEqual({
    code: 'some_code',
    message: 'Do this.',
    details: { field: 1 },
    request_id: expect.any(String),
  });
});

test.each([
  ['an error', new Error('secret path /srv/data')],
  ['an error that claims a status', Object.assign(new Error('secret path'), { statusCode: 503 })],
  ['a thrown string', 'secret path'],
])('an unexpected failure (%s) is 500 and reveals no detail', async (_what, thrown) => {
  const { status, text, error } = await failWith(thrown);
  expect([status, error.code]).toEqual([500, 'internal_error']);
  expect(text).not.toContain('secret');
});
