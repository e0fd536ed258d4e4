import net from 'node:net';

/** A proxy between a server and its database that can hold a command back. */
export interface DatabaseGate {
  uri: string;
  /** Holds back the first command that contains all of these words; resolves when it arrives. */
  holdBack(...words: string[]): Promise<void>;
  stop(): void;
}

export async function openDatabaseGate(databaseUri: string): Promise<DatabaseGate> {
  let waiting: { words: string[]; met: () => void } | undefined;
  const sockets = new Set<net.Socket>();
  const host = decodeURIComponent(/^mongodb:\/\/([^/]+)\//u.exec(databaseUri)?.[1] ?? '');
  const [name, port] = host.split(':');
  const gate = net.createServer((client) => {
    const database = host.endsWith('.sock') ? net.connect(host) : net.connect(Number(port), name);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    database.pipe(client);
    client.on('close', () => database.destroy());
    client.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      if (waiting?.words.every((word) => text.includes(word)) === true) {
        waiting.met();
        waiting = undefined;
      } else database.write(chunk);
    });
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  const address = gate.address();
  if (address === null || typeof address === 'string') throw new Error('The gate has no port.');
  return {
    uri: `mongodb://127.0.0.1:${address.port}/?directConnection=true`,
    holdBack: (...words) =>
      new Promise((resolve) => {
        waiting = { words, met: resolve };
      }),
    stop() {
      gate.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
