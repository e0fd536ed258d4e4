import { createServer, type AddressInfo, type Socket } from 'node:net';
import { imapConfig } from '@docwright/contract';
import { readMail } from '@docwright/documents';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHostGuard } from '../../../platform/network/host-guard.ts';
import { longestTurn } from '../../../../../../tests/timing/longest-turn.ts';
import type { Connector } from './connector.ts';
import { createImapConnector } from './imap-connector.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const stop of stops.splice(0)) await stop();
});

/** A mailbox that is open, of a server that does what it wants once it is asked for changes. */
async function openMailbox(
  onNoop: (socket: Socket, tag: string) => void,
  { filter = {}, onUid }: { filter?: object; onUid?: (socket: Socket, tag: string, what: string) => void } = {},
): Promise<Connector> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).write('* OK ready\r\n');
    socket.on('data', (sent: Buffer) => {
      const [tag = '', command = '', what = ''] = sent.toString('latin1').split(/\s/u);
      if (command === 'NOOP') return onNoop(socket, tag);
      if (command === 'UID' && onUid) return onUid(socket, tag, what);
      if (command === 'CAPABILITY') socket.write('* CAPABILITY IMAP4rev1\r\n');
      if (command === 'EXAMINE') socket.write('* 0 EXISTS\r\n* OK [UIDVALIDITY 1] valid\r\n');
      socket.write(`${tag} OK done\r\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const config = imapConfig.parse({ host: '127.0.0.1', port, tls: 'none', user: 'inbox@example.com', filter });
  const guard = createHostGuard([`127.0.0.1:${port}`]);
  const token = { guardedFetch: fetch, refreshToken: '', clientSecret: undefined, onNewSecret: () => undefined };
  const connector = createImapConnector(config, { guard, password: 'p', token, readMail });
  stops.push(async () => {
    await connector.close();
    server.close();
  });
  await connector.check();
  return connector;
}

const first = (connector: Connector, signal = new AbortController().signal) =>
  connector.list(signal, { onProblem: () => undefined, onUnsettled: () => undefined }).next();

describe('what a hostile server sends is parsed beside other work', () => {
  it.each([
    ['short lines', '* 1\r\n'],
    ['lines of many words', `* X ${'1 '.repeat(99_000)}\r\n`],
    ['values without bytes', ' {0}\r\n'],
  ])('%s', { retry: 2 }, async (_, piece) => {
    const block = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)), 'latin1');
    const connector = await openMailbox((socket) => {
      const pour = () => {
        while (!socket.destroyed && socket.write(block));
      };
      socket.on('drain', pour);
      pour();
    });
    const { longest } = await longestTurn(async () => {
      await expect(first(connector)).rejects.toMatchObject({ code: 'source_unavailable' });
    });
    expect(longest).toBeLessThan(50);
  });
});

it('a server that sends a byte now and then, and never an answer, is left', async () => {
  const connector = await openMailbox((socket) => {
    const timer = setInterval(() => socket.write('*'), 100);
    socket.on('close', () => clearInterval(timer));
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const listed = expect(first(connector)).rejects.toMatchObject({ code: 'source_unavailable' });
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
  await vi.advanceTimersByTimeAsync(3 * 60_000);
  await listed;
});

it('a server that never describes mails is left after one wait', async () => {
  let fetches = 0;
  const connector = await openMailbox((socket, tag) => socket.write(`${tag} OK done\r\n`), {
    filter: { has_attachment: true },
    onUid(socket, tag, what) {
      if (what === 'SEARCH') socket.write(`* SEARCH 1 2 3 4\r\n${tag} OK done\r\n`);
      else fetches += 1;
    },
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const listed = expect(first(connector)).rejects.toMatchObject({ code: 'source_unavailable' });
  await vi.waitFor(() => expect(fetches).toBe(1));
  await vi.advanceTimersByTimeAsync(20 * 60_000);
  await listed;
  expect(fetches).toBe(1);
});

it('an abort ends a command that has no answer', async () => {
  const stop = new AbortController();
  const connector = await openMailbox(() => stop.abort(new Error('The sync has lost its lease.')));
  await expect(first(connector, stop.signal)).rejects.toThrow('lost its lease');
});
