import { expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { failedFields } from './failed-fields.ts';

const known = ['cron', 'filter', 'prompt_id', 'max_documents', 'name'];
const fieldsOf = (status: number, code: string, message: string, details?: unknown) =>
  failedFields(new ApiError(status, { code, message, details }), known);

it('assigns an error to the field that it concerns', () => {
  expect(fieldsOf(400, 'invalid_cron', 'Five fields.').fields).toEqual({ cron: 'Five fields.' });
  expect(fieldsOf(400, 'unknown_reference', 'There is no such prompt.').fields).toHaveProperty('prompt_id');
  expect(fieldsOf(400, 'unknown_reference', 'One of the tags is not there.').fields).toHaveProperty('filter');
  const details = [
    { in: 'body', path: 'max_documents', message: 'Too big: expected number to be <=1000' },
    { in: 'body', path: 'filter.name_search', message: 'Too long.' },
  ];
  expect(fieldsOf(422, 'invalid_request', 'It does not fit.', details)).toEqual({
    fields: { max_documents: 'A whole number from 1 to 1,000.', filter: 'Too long.' },
    other: undefined,
  });
});

it('assigns an error to the whole form if it concerns no known field', () => {
  expect(fieldsOf(400, 'too_many_schedules', 'There can be 100.')).toEqual({ fields: {}, other: 'There can be 100.' });
  expect(fieldsOf(400, 'invalid_every', 'A number and m, h, d or w.').other).toBe('A number and m, h, d or w.');
  expect(failedFields(null, known)).toEqual({ fields: {}, other: undefined });
});
