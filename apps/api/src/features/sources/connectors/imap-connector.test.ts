import { createServer, type AddressInfo } from 'node:net';
import { imapConfig } from '@docwright/contract';
import { readMail } from '@docwright/documents';
import { ImapFlow } from 'imapflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHostGuard } from '../../../platform/network/host-guard.ts';
import { describeConnector } from '../testing/connector-suite.ts';
import { hasDovecot, startDovecot, type Dovecot } from '../testing/dovecot.ts';
import { startImapServer, type ImapServer } from '../testing/imap-server.ts';
import { writeMail, type WrittenPart } from '../testing/written-mail.ts';
import type { FoundFile } from './connector.ts';
import { createImapConnector } from './imap-connector.ts';

const noToken = { guardedFetch: fetch, refreshToken: '', clientSecret: undefined, onNewSecret: () => undefined };

describe('with a small server', () => {
  let server: ImapServer;
  const uids = new Map<string, number>();
  beforeAll(async () => {
    server = await startImapServer();
  });
  afterAll(() => server.stop());

  describeConnector('imap', {
    canChange: false,
    async open() {
      server.mails.clear();
      const { port, password } = server;
      const config = imapConfig.parse({ host: '127.0.0.1', port, tls: 'none', user: 'inbox@example.com' });
      return createImapConnector(config, {
        guard: createHostGuard([`127.0.0.1:${port}`]),
        password,
        token: noToken,
        readMail,
      });
    },
    async put(name, text) {
      uids.set(name, uids.size + 1);
      const id = encodeURIComponent(name);
      server.mails.set(uids.size, writeMail({ id, parts: [{ name: 'a.txt', bytes: text }] }));
    },
    async remove(name) {
      server.mails.delete(uids.get(name) ?? 0);
    },
  });

  it('takes at most max_mb, also if the server names a smaller size', async () => {
    server.mails.clear();
    server.mails.set(7, writeMail({ id: 'large', parts: [{ name: 'a.txt', bytes: 'x'.repeat(3_000_000) }] }));
    const { port, password } = server;
    const config = imapConfig.parse({ host: '127.0.0.1', port, tls: 'none', user: 'inbox@example.com', max_mb: 1 });
    const connect = () =>
      createImapConnector(config, {
        guard: createHostGuard([`127.0.0.1:${port}`]),
        password,
        token: noToken,
        readMail,
      });
    const file = { identity: 'inbox@example.com/INBOX/1/7', size: 0, version: '1' };
    await expect(connect().read(file)).rejects.toMatchObject({ code: 'file_too_large' });
    server.toldSizes.set(7, 1_000);
    const told = connect();
    await expect(told.read(file)).rejects.toMatchObject({ code: 'file_too_large' });
    server.mails.set(8, writeMail({ id: 'small', parts: [{ name: 'b.txt', bytes: 'Small' }] }));
    expect(await told.read({ ...file, identity: 'inbox@example.com/INBOX/1/8' })).toMatchObject([{ name: 'b.txt' }]);
    await told.close();
    server.toldSizes.clear();
  });
});

it('a server that breaks off while it is listed is unavailable', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).write('* OK ready\r\n');
    socket.on('data', (sent: Buffer) => {
      const [tag = '', command = ''] = sent.toString('latin1').split(/\s/u);
      if (command === 'NOOP') return void socket.destroy();
      if (command === 'CAPABILITY') socket.write('* CAPABILITY IMAP4rev1\r\n');
      if (command === 'SELECT' || command === 'EXAMINE') socket.write('* 0 EXISTS\r\n* OK [UIDVALIDITY 1] valid\r\n');
      socket.write(`${tag} OK done\r\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const config = imapConfig.parse({ host: '127.0.0.1', port, tls: 'none', user: 'inbox@example.com' });
  const connector = createImapConnector(config, {
    guard: createHostGuard([`127.0.0.1:${port}`]),
    password: 'p',
    token: noToken,
    readMail,
  });
  await connector.check();
  const list = connector.list(new AbortController().signal, {
    onProblem: () => undefined,
    onUnsettled: () => undefined,
  });
  await expect(list.next()).rejects.toMatchObject({ code: 'source_unavailable' });
  await connector.close();
  server.close();
});

describe('a server that never ends', () => {
  it.each([
    ['lines instead of a greeting', `* ${'x'.repeat(60_000)}\r\n`, ''],
    ['one line without an end', 'x'.repeat(60_000), ''],
    ['lines instead of an answer', `* ${'x'.repeat(60_000)}\r\n`, '* OK ready\r\n'],
  ])('is left after a few megabytes of %s', async (_, piece, greeting) => {
    let sent = 0;
    const server = createServer((socket) => {
      const pour = () => {
        while (!socket.destroyed && sent < 500e6) {
          sent += piece.length;
          if (!socket.write(piece)) return;
        }
      };
      socket.on('error', () => undefined).on('drain', pour);
      if (greeting === '') return pour();
      socket.write(greeting);
      socket.once('data', pour);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const config = imapConfig.parse({ host: '127.0.0.1', port, tls: 'none', user: 'inbox@example.com' });
    const guard = createHostGuard([`127.0.0.1:${port}`]);
    const connector = createImapConnector(config, { guard, password: 'p', token: noToken, readMail });
    await expect(connector.check()).rejects.toMatchObject({ code: 'source_unavailable' });
    expect(sent).toBeLessThan(60e6);
    await connector.close();
    server.close();
  });
});

describe.runIf(hasDovecot())('with dovecot', () => {
  let dovecot: Dovecot;
  let client: ImapFlow;
  beforeAll(async () => {
    dovecot = await startDovecot();
    const { port, user, password } = dovecot;
    const auth = { user, pass: password };
    client = new ImapFlow({ host: '127.0.0.1', port, secure: false, auth, logger: false, disableAutoIdle: true });
    await client.connect();
  }, 20_000);
  afterAll(async () => {
    await client.logout();
    await dovecot.stop();
  });
  beforeEach(empty);

  async function empty(): Promise<void> {
    await client.mailboxOpen('INBOX');
    await client.messageDelete('1:*');
    await client.mailboxDelete('Done').catch(() => undefined);
  }
  const connectorOf = (config: object = {}, password = dovecot.password, hosts = [`127.0.0.1:${dovecot.port}`]) => {
    const { port, user } = dovecot;
    const parsed = imapConfig.parse({ host: '127.0.0.1', port, tls: 'none', user, ...config });
    return createImapConnector(parsed, { guard: createHostGuard(hosts), password, token: noToken, readMail });
  };
  const put = (id: string, parts: WrittenPart[], more: object = {}) =>
    client.append('INBOX', writeMail({ id, parts, ...more }));
  async function list(config: object = {}) {
    const connector = connectorOf(config);
    const found: FoundFile[] = [];
    const ignored = { onProblem: () => undefined, onUnsettled: () => undefined };
    for await (const batch of connector.list(new AbortController().signal, ignored)) found.push(...batch);
    return { connector, found };
  }

  describeConnector('imap (dovecot)', {
    canChange: false,
    async open() {
      await empty();
      return connectorOf();
    },
    async put(name, text) {
      await put(`${encodeURIComponent(name)}@example.com`, [{ name: 'a.txt', bytes: text }]);
    },
    async remove(name) {
      const id = `<${encodeURIComponent(name)}@example.com>`;
      await client.messageDelete({ header: { 'message-id': id } });
    },
  });

  it('takes attachments, opens mails inside of mails, and leaves out small pictures and signatures', async () => {
    const inner = writeMail({ id: 'inner@example.com', parts: [{ name: 'inner.txt', bytes: 'Inner' }] });
    await put('outer@example.com', [
      { name: 'outer.txt', bytes: 'Outer' },
      { type: 'message/rfc822', name: 'forwarded.eml', bytes: inner },
      { type: 'image/png', name: 'logo.png', bytes: new Uint8Array(9_999), inline: true },
      { type: 'image/png', name: 'photo.png', bytes: new Uint8Array(10_000), inline: true },
      { type: 'application/pkcs7-signature', name: 'smime.p7s', bytes: 'x' },
    ]);
    const { connector, found } = await list();
    const files = await connector.read(found[0]!);
    expect(files?.map(({ name, part }) => `${part} ${name}`)).toEqual([
      '1 outer.txt',
      '2 forwarded.eml',
      '2.1 inner.txt',
      '4 photo.png',
    ]);
    expect(files?.[0]?.metadata).toEqual({
      sender: 'Ann Smith <ann@example.com>',
      subject: 'Invoice',
      date: '2026-11-27T10:00:00.000Z',
      message_id: '<outer@example.com>',
    });
    const parts = async (wanted: string) => {
      const other = connectorOf({ parts: wanted });
      const taken = await other.read(found[0]!);
      await other.close();
      return taken?.map(({ name }) => name);
    };
    expect(await parts('mail')).toEqual(['Invoice.eml']);
    expect((await parts('both'))?.slice(0, 2)).toEqual(['Invoice.eml', 'outer.txt']);
    await connector.close();
  });

  it('takes no more files and bytes of a mail than it may', async () => {
    await put(
      'many@example.com',
      Array.from({ length: 5 }, (_, at) => ({ name: `${at}.txt`, bytes: `Text ${at}` })),
    );
    const { connector, found } = await list({ max_files: 3 });
    const files = await connector.read(found[0]!);
    expect(files?.map(({ problem }) => problem?.code)).toEqual([undefined, undefined, undefined, 'file_too_large']);
    await connector.close();
  });

  it('filters by sender, subject, attachment and age', async () => {
    await put('a@example.com', [{ name: 'a.txt', bytes: 'x' }], { from: 'bob@example.com', subject: 'Order 7' });
    await put('b@example.com', [], { subject: 'Hello' });
    const count = async (filter: object) => {
      const { connector, found } = await list({ filter });
      await connector.close();
      return found.length;
    };
    expect(await count({})).toBe(2);
    expect(await count({ from: 'bob@' })).toBe(1);
    expect(await count({ subject: 'order' })).toBe(1);
    expect(await count({ has_attachment: true })).toBe(1);
    expect(await count({ has_attachment: false })).toBe(1);
    expect(await count({ max_age_days: 1 })).toBe(2);
  });

  it('knows a mail at another place as the same', async () => {
    await put('moved@example.com', [{ name: 'a.txt', bytes: 'x' }]);
    const before = await list();
    const [file] = (await before.connector.read(before.found[0]!))!;
    await client.mailboxCreate('Done');
    await client.mailboxOpen('INBOX');
    await client.messageMove('1:*', 'Done');
    const after = await list({ folder: 'Done' });
    expect(after.found[0]!.identity).not.toBe(before.found[0]!.identity);
    expect((await after.connector.read(after.found[0]!))![0]!.sameAs).toBe(file!.sameAs);
    await Promise.all([before.connector.close(), after.connector.close()]);
  });

  it('marks or moves a mail afterwards, and leaves it as it is by default', async () => {
    await client.mailboxCreate('Done');
    await put('a@example.com', [{ name: 'a.txt', bytes: 'x' }]);
    const seen = async () => {
      await client.noop();
      return (await client.status('INBOX', { unseen: true, messages: true })) as object;
    };
    const leave = await list();
    await leave.connector.read(leave.found[0]!);
    expect(leave.connector.settle).toBe(undefined);
    expect(await seen()).toMatchObject({ messages: 1, unseen: 1 });
    const mark = await list({ afterwards: { do: 'mark_seen' } });
    expect(await mark.connector.settle?.(mark.found[0]!)).toBe('kept');
    expect(await seen()).toMatchObject({ messages: 1, unseen: 0 });
    const move = await list({ afterwards: { do: 'move_to', folder: 'Done' } });
    await move.connector.check();
    expect(await move.connector.settle?.(move.found[0]!)).toBe('gone');
    expect(await seen()).toMatchObject({ messages: 0 });
    await Promise.all([leave, mark, move].map(({ connector }) => connector.close()));
  });

  it('says what is wrong, and sends no password without TLS to a host that is not listed', async () => {
    const code = async (connector: ReturnType<typeof connectorOf>) =>
      connector.check().then(
        () => 'none',
        (error: { code: string }) => error.code,
      );
    expect(await code(connectorOf({}, 'wrong'))).toBe('source_refused');
    expect(await code(connectorOf({ folder: 'Nothing' }))).toBe('mail_folder_missing');
    expect(await code(connectorOf({ afterwards: { do: 'move_to', folder: 'Nothing' } }))).toBe('mail_folder_missing');
    expect(await code(connectorOf({ tls: 'implicit' }))).toBe('source_unavailable');
    expect(await code(connectorOf({ tls: 'starttls' }))).toBe('source_unavailable');
    expect(await code(connectorOf({}, dovecot.password, []))).toBe('source_host_refused');
    expect(await code(connectorOf({ tls: 'implicit' }, dovecot.password, []))).toBe('source_host_refused');
  });
});
