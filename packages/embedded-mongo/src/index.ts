/** The server itself is not exported: only its own process loads it. */
export { startEmbeddedMongo, type EmbeddedMongo, type StartOptions } from './process/start.ts';
export { databaseFile } from './process/data-directory.ts';
