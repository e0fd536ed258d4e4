import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';

/** The parts of the driver that hold the sockets of idle connections. */
interface Internals {
  topology: { s: { servers: Map<string, { pool: { connections: Iterable<{ socket: Socket }> } }> } };
}

it('a command that is written to a socket which has just closed fails or is retried, and never hangs', async () => {
  const connection = await connectTestDatabase();
  try {
    const client = connection.getClient();
    const notes = client.db(connection.name).collection('notes');
    await notes.insertOne({ text: 'stored' });
    const { topology } = client as unknown as Internals;
    const idle = [...topology.s.servers.values()].flatMap(({ pool }) => [...pool.connections]);
    expect(idle).not.toEqual([]);
    // The driver learns of it a moment later, by an event.
    for (const { socket } of idle) socket.destroy();
    expect(await notes.findOne({}, { projection: { _id: 0 } })).toEqual({ text: 'stored' });
  } finally {
    await connection.close();
  }
});
