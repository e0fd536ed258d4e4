import { imapConfig } from '@docwright/contract';
import { readMail } from '@docwright/documents';
import { expect, it } from 'vitest';
import { createHostGuard } from '../../../platform/network/host-guard.ts';
import { startImapServer } from '../testing/imap-server.ts';
import { writeMail } from '../testing/written-mail.ts';
import type { FoundFile } from './connector.ts';
import { createImapConnector } from './imap-connector.ts';

it.each([
  ['MOVE', ['UID MOVE 9 INBOX/Done']],
  ['UIDPLUS', ['UID COPY 9 INBOX/Done', String.raw`UID STORE 9 +FLAGS.SILENT (\Deleted)`, 'UID EXPUNGE 9']],
  ['IDLE', ['UID COPY 9 INBOX/Done', String.raw`UID STORE 9 +FLAGS (\Seen \Deleted)`]],
])('expunges no other mail when it moves one on a server with %s', async (extensions, moving) => {
  const server = await startImapServer();
  server.mails.set(9, writeMail({ id: 'moved', parts: [{ name: 'a.txt', bytes: 'A' }] }));
  Object.assign(server, { extensions, commands: [] });
  const { port, password } = server;
  const afterwards = { do: 'move_to', folder: 'Done' };
  const config = imapConfig.parse({
    host: '127.0.0.1',
    port,
    tls: 'none',
    user: 'inbox@example.com',
    afterwards,
  });
  const guard = createHostGuard([`127.0.0.1:${port}`]);
  const connector = createImapConnector(config, {
    guard,
    password,
    token: { guardedFetch: fetch, refreshToken: '', clientSecret: undefined, onNewSecret: () => undefined },
    readMail,
  });
  const listing = { onProblem: () => undefined, onUnsettled: () => undefined };
  const found: FoundFile[] = [];
  for await (const files of connector.list(new AbortController().signal, listing)) found.push(...files);
  await connector.settle?.(found[0]!);
  await connector.close();
  server.stop();
  const changing = /MOVE|COPY|STORE|EXPUNGE/u;
  expect(server.commands.filter((command) => changing.test(command))).toEqual(moving);
  expect(server.commands.find((command) => command.startsWith('UID SEARCH'))).toContain('UNDELETED');
});
