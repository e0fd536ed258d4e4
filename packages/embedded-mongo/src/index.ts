/** The package exports no server class: the server always runs in a process of its own. */
export { databaseFile } from './process/data-directory.ts';
export type { EmbeddedMongo, StartOptions } from './process/embedded-mongo.ts';
export { startEmbeddedMongo } from './process/start.ts';
