import { expect, test } from 'vitest';
import { inDatabase } from '../test-database.ts';

test.each([
  ['mongodb://127.0.0.1:27017/?directConnection=true', 'mongodb://127.0.0.1:27017/x?directConnection=true'],
  ['mongodb://a:1,b:2,c:3/any?replicaSet=rs0', 'mongodb://a:1,b:2,c:3/x?replicaSet=rs0'],
  ['mongodb://me:pw@host', 'mongodb://me:pw@host/x?authSource=admin'],
  ['mongodb+srv://me:pw@host/own', 'mongodb+srv://me:pw@host/x?authSource=own'],
  ['mongodb://me:pw@host/own?authSource=other', 'mongodb://me:pw@host/x?authSource=other'],
])("%s keeps its options and credentials in a test database's URI", (server, uri) => {
  expect(inDatabase(server, 'x')).toBe(uri);
});
