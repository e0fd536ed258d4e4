/** The package exports no server class: the server always runs in a process of its own. */
export { startEmbeddedMongo, type EmbeddedMongo, type StartOptions } from './process/start.ts';
export { databaseFile } from './process/data-directory.ts';
