export { startTestDatabase, type TestDatabase } from './test-database.ts';
export { WireClient } from './wire-client.ts';
