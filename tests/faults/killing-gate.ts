import net from 'node:net';

/** Whether the database dies before it executes a write, or after that and before it answers. */
export type KillMoment = 'before' | 'after';

/** A proxy between a server and its database, which kills the database at a certain write. */
export interface KillingGate {
  uri: string;
  /** Counts the writes from now on; at the n-th (from 0) the database is killed. Without a number, it is not. */
  watch(at?: number, moment?: KillMoment): void;
  /** The writes since `watch`, as “command collection”. */
  readonly writes: readonly string[];
  readonly hasKilled: boolean;
  stop(): void;
}

const writing = new Set(['insert', 'update', 'delete', 'findAndModify', 'bulkWrite']);

/**
 * @param socketPath Where the database listens now.
 * @param isCounted Whether a write to the collection counts; those of the job queue come at any time.
 */
export async function openKillingGate(
  socketPath: () => string,
  kill: () => void,
  isCounted: (collection: string) => boolean,
): Promise<KillingGate> {
  let writes: string[] = [];
  let plan: { at: number; moment: KillMoment } | undefined;
  let hasKilled = false;
  const sockets = new Set<net.Socket>();

  function killNow(client: net.Socket): void {
    hasKilled = true;
    kill();
    client.destroy();
  }

  const gate = net.createServer((client) => {
    const database = net.connect(socketPath());
    let diesAtAnswer = false;
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('close', () => database.destroy());
    database.on('close', () => client.destroy());
    database.on('data', (answer: Buffer) => {
      if (diesAtAnswer) killNow(client);
      else client.write(answer);
    });
    client.on('data', (request: Buffer) => {
      const write = writeIn(request);
      if (write !== undefined && isCounted(write.split(' ')[1]!)) {
        writes.push(write);
        if (plan?.at === writes.length - 1 && !hasKilled) {
          if (plan.moment === 'before') {
            killNow(client);
            return;
          }
          diesAtAnswer = true;
        }
      }
      database.write(request);
    });
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  const address = gate.address();
  if (address === null || typeof address === 'string') throw new Error('The gate has no port.');
  return {
    uri: `mongodb://127.0.0.1:${address.port}/?directConnection=true`,
    get writes() {
      return writes;
    },
    get hasKilled() {
      return hasKilled;
    },
    watch(at, moment = 'after') {
      writes = [];
      hasKilled = false;
      plan = at === undefined ? undefined : { at, moment };
    },
    stop() {
      gate.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const [messageOpcode, bodyOffset] = [2013, 26];

/** “command collection” of a message (OP_MSG) that begins here and writes. */
function writeIn(request: Buffer): string | undefined {
  if (request.length < bodyOffset || request.readInt32LE(12) !== messageOpcode) return undefined;
  const end = request.indexOf(0, bodyOffset);
  const command = request.toString('latin1', bodyOffset, end);
  if (!writing.has(command)) return undefined;
  const length = request.readInt32LE(end + 1);
  return `${command} ${request.toString('utf8', end + 5, end + 4 + length)}`;
}
