import net from 'node:net';

/** A proxy in front of the product whose connections can be cut. */
export interface Wire {
  url: string;
  /** Cuts all connections and refuses new ones. */
  cut(): void;
  /** Accepts connections again. */
  restore(): void;
  stop(): void;
}

export async function startWire(target: string): Promise<Wire> {
  const { hostname, port } = new URL(target);
  const open = new Set<net.Socket>();
  let whole = true;
  const server = net.createServer((near) => {
    if (!whole) {
      near.destroy();
      return;
    }
    const far = net.connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as net.AddressInfo;
  const cut = () => {
    whole = false;
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${own}`,
    cut,
    restore() {
      whole = true;
    },
    stop() {
      cut();
      server.close();
    },
  };
}
