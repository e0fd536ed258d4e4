import { parseArgs } from 'node:util';
import {
  databaseFile,
  isDiskFull,
  isLocked,
  readServerInfo,
  removeServerInfo,
  writeServerInfo,
} from '../process/data-directory.ts';
import { alreadyServedExitCode, servesOthersNotice } from '../process/parent-protocol.ts';
import { removeOldSockets } from '../process/socket-path.ts';
import type { Synchronous } from '../storage/sqlite-connection.ts';
import { DamagedDatabaseError, EmbeddedMongoServer } from './server.ts';

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    socket: { type: 'string' },
    port: { type: 'string', default: '0' },
    synchronous: { type: 'string', default: 'normal' },
    'keeps-expired': { type: 'boolean', default: false },
  },
});
const { 'data-dir': dataDir, socket, port, synchronous } = values;
if (dataDir === undefined || (synchronous !== 'normal' && synchronous !== 'full')) {
  throw new Error(
    'usage: main.ts --data-dir <directory> [--socket <file> | --port <number>] [--synchronous normal|full] [--keeps-expired]',
  );
}

const server = await start(dataDir, synchronous);
process.stdout.write(`${JSON.stringify({ uri: server.uri })}\n`);

// Terminals and service managers send these signals to every process. Only the parent decides when the server stops:
// the parent can need it for its own shutdown, and other processes can use it.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => undefined);
// Output has no reader once the parent has exited.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
// The parent owns the other end of stdin. It closes when the parent asks for a stop, and when the parent dies.
process.stdin.resume().once('end', () => void stopWhenUnused(dataDir));

async function start(directory: string, durability: Synchronous): Promise<EmbeddedMongoServer> {
  try {
    const opened = new EmbeddedMongoServer({
      file: databaseFile(directory),
      listen: socket === undefined ? { port: Number(port) } : { socket },
      synchronous: durability,
      keepsExpired: values['keeps-expired'],
      log: (message) => process.stderr.write(`${message}\n`),
    });
    if (socket !== undefined) removeOldSockets(directory, socket);
    await opened.listen();
    writeServerInfo(directory, { pid: process.pid, uri: opened.uri });
    return opened;
  } catch (error) {
    process.stderr.write(`${startFailureMessage(directory, error)}\n`);
    process.exit(isLocked(error) ? alreadyServedExitCode : 1);
  }
}

/** Stops the server after the last joined process has left. */
async function stopWhenUnused(directory: string): Promise<void> {
  if (server.hasJoinedProcesses) process.stdout.write(`${servesOthersNotice}\n`);
  await server.joinedProcessesLeft();
  removeServerInfo(directory);
  await server.close();
  process.exit(0);
}

function startFailureMessage(directory: string, error: unknown): string {
  if (isLocked(error)) {
    const owner = readServerInfo(directory);
    return `The database in ${directory} is already being served by another process${owner ? ` (process ${owner.pid})` : ''}.`;
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (isDiskFull(error)) return `The disk of ${directory} is full: ${message}. Free some space and start again.`;
  if (error instanceof DamagedDatabaseError) {
    return `${databaseFile(directory)} is damaged: ${message}. Replace it by a backup, or recover its readable content with \`sqlite3 <file> .recover\`.`;
  }
  if (code === 'ERR_SQLITE_ERROR') {
    return `${databaseFile(directory)} cannot be opened: ${message}. Replace it by a backup, or move it away to start with an empty database.`;
  }
  return `The database in ${directory} cannot be served: ${message}`;
}
