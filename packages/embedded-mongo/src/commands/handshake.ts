import { randomUUID } from 'node:crypto';
import { Binary } from 'bson';
import { maxDocumentBytes, maxMessageBytes, maxWriteBatchSize } from '../errors/limits.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import { ok, type ReceivedCommand, type CommandTable } from './command.ts';

/** The release whose behaviour this server follows. */
const serverVersion = '7.0.14';
const wireVersion = 21;

/** The reply has no `topologyVersion`, because drivers would then wait for streamed heartbeats. */
function hello({ command, connectionId }: ReceivedCommand): BsonDocument {
  return ok([
    ['helloOk', true],
    [command.has('hello') ? 'isWritablePrimary' : 'ismaster', true],
    ['maxBsonObjectSize', maxDocumentBytes],
    ['maxMessageSizeBytes', maxMessageBytes],
    ['maxWriteBatchSize', maxWriteBatchSize],
    ['localTime', new Date()],
    ['logicalSessionTimeoutMinutes', 30],
    ['connectionId', connectionId],
    ['minWireVersion', 0],
    ['maxWireVersion', wireVersion],
    ['readOnly', false],
  ]);
}

function buildInfo(): BsonDocument {
  return ok([
    ['version', serverVersion],
    ['versionArray', [...serverVersion.split('.').map(Number), 0]],
    ['gitVersion', 'docwright-embedded-mongo'],
    ['modules', []],
    ['storageEngines', ['sqlite']],
    ['bits', 64],
    ['debug', false],
    ['maxBsonObjectSize', maxDocumentBytes],
  ]);
}

function startSession(): BsonDocument {
  const id = new Binary(Buffer.from(randomUUID().replaceAll('-', ''), 'hex'), Binary.SUBTYPE_UUID);
  return ok([
    ['id', new Map<string, BsonValue>([['id', id]])],
    ['timeoutMinutes', 30],
  ]);
}

function connectionStatus(): BsonDocument {
  const noUsers: BsonDocument = new Map([
    ['authenticatedUsers', []],
    ['authenticatedUserRoles', []],
  ]);
  return ok([['authInfo', noUsers]]);
}

export const handshakeCommands: CommandTable = [
  ['hello', hello],
  ['isMaster', hello],
  ['ismaster', hello],
  ['ping', () => ok()],
  ['buildInfo', buildInfo],
  ['buildinfo', buildInfo],
  ['connectionStatus', connectionStatus],
  ['startSession', startSession],
  ['endSessions', () => ok()],
  ['refreshSessions', () => ok()],
  ['killSessions', () => ok()],
  ['killAllSessions', () => ok()],
  ['logout', () => ok()],
];
