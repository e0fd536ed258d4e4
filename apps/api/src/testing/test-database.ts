import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { connectDatabase } from '../platform/database/connection.ts';

/** The URI of an empty database on the server that all tests of a run share (`shared-database.ts`). */
export function newTestDatabase(): string {
  const server = process.env['TEST_MONGODB_URI'];
  if (server === undefined) throw new Error('Tests of this project need a database: list globalSetup in its config.');
  return inDatabase(server, `test_${randomUUID().replaceAll('-', '')}`);
}

/** The URI with another database. Credentials keep their authentication database, which defaults to `admin`. */
export function inDatabase(uri: string, name: string): string {
  const [, place = '', database = '', query = ''] =
    /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/su.exec(uri) ?? [];
  const options = new URLSearchParams(query);
  if (place.includes('@') && !options.has('authSource'))
    options.set('authSource', database === '' ? 'admin' : database);
  return `${place}/${name}${options.size > 0 ? `?${options.toString()}` : ''}`;
}

/** The caller closes the connection. */
export function connectTestDatabase(): Promise<Connection> {
  return connectDatabase(newTestDatabase());
}
