import net from 'node:net';

/** A TCP port that forwards each connection to the next target, as a simple load balancer or network does. */
export interface Forwarder {
  port: number;
  /** While it is away, connections are refused, and open ones are cut when it goes. */
  setAway(isAway: boolean): void;
  close(): void;
}

/** A port of this machine, or the path of a socket. */
type Target = number | string;

/** Forwards to the targets in turn, passing over those that refuse the connection. */
export async function openForwarder(targets: () => readonly Target[]): Promise<Forwarder> {
  const sockets = new Set<net.Socket>();
  let next = 0;
  let isAway = false;
  const server = net.createServer((client) => {
    if (isAway) {
      client.destroy();
      return;
    }
    track(client);
    client.pause();
    connect(client, targets().length);
  });

  function track(socket: net.Socket): void {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  }

  function connect(client: net.Socket, attempts: number): void {
    const all = targets();
    next += 1;
    const target = all[next % all.length];
    if (target === undefined || attempts === 0) {
      client.destroy();
      return;
    }
    const upstream = typeof target === 'number' ? net.connect(target, '127.0.0.1') : net.connect(target);
    track(upstream);
    let isOpen = false;
    upstream.once('connect', () => {
      isOpen = true;
      client.pipe(upstream).pipe(client);
      client.once('close', () => upstream.destroy());
      upstream.once('close', () => client.destroy());
    });
    upstream.once('error', () => isOpen || connect(client, attempts - 1));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The forwarder has no port.');
  return {
    port: address.port,
    setAway(away) {
      isAway = away;
      if (away) for (const socket of sockets) socket.destroy();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
