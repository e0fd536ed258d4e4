import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { readServerInfo } from './data-directory.ts';
import type { EmbeddedMongo } from './embedded-mongo.ts';
import { hostOf, portOf } from './server-address.ts';

/** Joins the running server of a data directory; undefined when no server answers. */
export async function joinServer(dataDir: string): Promise<EmbeddedMongo | undefined> {
  const info = readServerInfo(dataDir);
  const socket = info && (await connectTo(info.uri));
  if (!socket) return undefined;
  // `once` would reject when the server is killed and the connection is reset.
  const exited = new Promise<null>((resolve) => {
    socket.once('close', () => resolve(null));
  });
  return {
    uri: info.uri,
    pid: info.pid,
    exited,
    async stop() {
      socket.destroy();
      await exited;
    },
  };
}

/** A connection that stays open as long as the server lives. */
async function connectTo(uri: string): Promise<Socket | undefined> {
  const port = portOf(uri);
  const socket = port === undefined ? connect(hostOf(uri)) : connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } catch {
    return undefined;
  }
  socket.on('error', () => socket.destroy());
  return socket.resume().unref();
}
