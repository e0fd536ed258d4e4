import { parseArgs } from 'node:util';
import { alreadyServedExitCode } from './exit-codes.ts';
import { EmbeddedMongoServer } from './server.ts';
import { databaseFile, isLocked, readServerInfo, removeServerInfo, writeServerInfo } from './data-directory.ts';

const { values } = parseArgs({
  options: { 'data-dir': { type: 'string' }, socket: { type: 'string' } },
});
const dataDir = values['data-dir'];
if (dataDir === undefined) throw new Error('usage: main.ts --data-dir <directory> [--socket <file>]');

const server = open(dataDir);
await server.listen();
writeServerInfo(dataDir, { pid: process.pid, uri: server.uri });
process.stdout.write(`${JSON.stringify({ uri: server.uri })}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
// The parent holds the other end: it closes when the parent asks for the end, and when the parent dies.
process.stdin.resume().once('end', () => void stop());

let stopping = false;

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
    if (!isLocked(error)) throw error;
    const owner = readServerInfo(directory);
    const by = owner ? ` (process ${owner.pid})` : '';
    process.stderr.write(`The database in ${directory} is already being served by another process${by}.\n`);
    process.exit(alreadyServedExitCode);
  }
}
