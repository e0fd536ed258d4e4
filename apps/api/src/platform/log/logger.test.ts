import mongoose from 'mongoose';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { loggerOptions } from './logger.ts';

it('logs that a record could not be stored, without its contents', () => {
  const lines: string[] = [];
  const log = pino(loggerOptions('info'), { write: (line: string) => void lines.push(line) });
  const refusal = { code: 11_000, index: 0, errmsg: 'E11000 duplicate key', op: { text: 'Text of a document' } };
  const error = Object.assign(new mongoose.mongo.MongoServerError({ message: 'E11000 duplicate key', code: 11_000 }), {
    writeErrors: [refusal],
    errorResponse: { writeErrors: [refusal] },
  });
  log.error({ err: error, document_id: 'abc' }, 'it was not stored');
  expect(JSON.parse(lines[0]!)).toMatchObject({ document_id: 'abc', err: { code: 11_000, stack: expect.any(String) } });
  expect(lines[0]).not.toContain('Text of a document');
});
