import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { connectDatabase } from '../platform/database/connection.ts';

/** The address of an empty database on the server that all tests of a run share (`shared-database.ts`). */
export function newTestDatabase(): string {
  const server = process.env['TEST_MONGODB_URI'];
  if (server === undefined) throw new Error('Tests of this project need a database: list globalSetup in its config.');
  const uri = new URL(server);
  uri.pathname = `test_${randomUUID().replaceAll('-', '')}`;
  return uri.href;
}

/** Whoever connects closes the connection. */
export function connectTestDatabase(): Promise<Connection> {
  return connectDatabase(newTestDatabase());
}
