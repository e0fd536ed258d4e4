export { EmbeddedMongoServer, type ServerOptions } from './server.ts';
export { startEmbeddedMongo, type EmbeddedMongo, type StartOptions } from './start.ts';
