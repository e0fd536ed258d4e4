import { parseArgs } from 'node:util';
import { alreadyServedExitCode } from './process/exit-codes.ts';
import { removeOldSockets } from './process/socket-path.ts';
import { EmbeddedMongoServer } from './server.ts';
import { databaseFile, isLocked, readServerInfo, removeServerInfo, writeServerInfo } from './process/data-directory.ts';

const { values } = parseArgs({
  options: { 'data-dir': { type: 'string' }, socket: { type: 'string' } },
});
const dataDir = values['data-dir'];
if (dataDir === undefined) throw new Error('usage: main.ts --data-dir <directory> [--socket <file>]');

const server = open(dataDir);
if (values.socket !== undefined) removeOldSockets(dataDir, values.socket);
await server.listen();
writeServerInfo(dataDir, { pid: process.pid, uri: server.uri });
process.stdout.write(`${JSON.stringify({ uri: server.uri })}\n`);

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
// The parent holds the other end: it closes when the parent asks for the end, and when the parent dies.
process.stdin.resume().once('end', () => void stop());

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  removeServerInfo(dataDir!);
  await server.close();
  process.exit(0);
}

function open(directory: string): EmbeddedMongoServer {
  try {
    return new EmbeddedMongoServer({
      file: databaseFile(directory),
      listen: values.socket === undefined ? { port: 0 } : { socket: values.socket },
      log: (message) => process.stderr.write(`${message}\n`),
    });
  } catch (error) {
    process.stderr.write(`${whyNot(directory, error)}\n`);
    process.exit(isLocked(error) ? alreadyServedExitCode : 1);
  }
}

function whyNot(directory: string, error: unknown): string {
  if (!isLocked(error)) {
    return `${databaseFile(directory)} cannot be opened: ${(error as Error).message}. Put a backup in its place, or move it away to begin with an empty one.`;
  }
  const owner = readServerInfo(directory);
  return `The database in ${directory} is already being served by another process${owner ? ` (process ${owner.pid})` : ''}.`;
}
