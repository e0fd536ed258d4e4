import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A small IMAP server with one folder, which takes a password or an access token (XOAUTH2). */
export interface ImapServer {
  port: number;
  /** By UID. */
  mails: Map<number, string>;
  /** Wrong sizes that the server reports, by UID. */
  toldSizes: Map<number, number>;
  /** How it fails when a mail is read: it refuses the command, or ends the connection. By UID. */
  failing: Map<number, 'refuses' | 'ends'>;
  /** The BODYSTRUCTURE of mails, by UID; that of a text without it. */
  structures: Map<number, string>;
  /** Changes when the folder is numbered anew. */
  uidValidity: number;
  accessTokens: Set<string>;
  password: string;
  /** What the server has for moving: MOVE, UIDPLUS. */
  extensions: string;
  /** Each command, without literals. */
  commands: string[];
  stop(): void;
}

const bearer = 'auth=Bearer ';
const plainText = '("TEXT" "PLAIN" NIL NIL NIL "7BIT" 5 1)';

export async function startImapServer(): Promise<ImapServer> {
  const state = {
    mails: new Map<number, string>(),
    toldSizes: new Map<number, number>(),
    failing: new Map<number, 'refuses' | 'ends'>(),
    structures: new Map<number, string>(),
    uidValidity: 1,
    accessTokens: new Set<string>(),
    password: 'a-password',
    extensions: 'MOVE',
    commands: [] as string[],
  };
  const sockets = new Set<Socket>();
  // A lone response would wait for the client's delayed acknowledgement of the one before.
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.write('* OK ready\r\n');
    let rest = '';
    socket.on('data', (chunk: Buffer) => {
      rest += chunk.toString('latin1');
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (line !== '') answer(socket, line);
      }
    });
  });

  function answer(socket: Socket, line: string): void {
    const [tag = '', ...words] = line.split(' ');
    const command = words.join(' ');
    state.commands.push(command);
    const end = (text: string) => socket.write(`${tag} ${text}\r\n`, 'latin1');
    const tell = (text: string) => socket.write(`* ${text}\r\n`, 'latin1');
    const login = (isRight: boolean) => end(isRight ? 'OK in' : 'NO [AUTHENTICATIONFAILED] refused');
    if (/^CAPABILITY/iu.test(command)) tell(`CAPABILITY IMAP4rev1 AUTH=XOAUTH2 SASL-IR ${state.extensions}`);
    const [, token] = /^AUTHENTICATE XOAUTH2 (\S+)/iu.exec(command) ?? [];
    if (token !== undefined) {
      const fields = Buffer.from(token, 'base64').toString().split('\u0001');
      const sent = fields.find((field) => field.startsWith(bearer))?.slice(bearer.length) ?? '';
      return void login(state.accessTokens.has(sent));
    }
    if (/^LOGIN/iu.test(command)) return void login(command.includes(`"${state.password}"`));
    if (/^(?:SELECT|EXAMINE)/iu.test(command)) {
      tell(`${state.mails.size} EXISTS`);
      tell(`OK [UIDVALIDITY ${state.uidValidity}] valid`);
      tell(`OK [UIDNEXT ${Math.max(0, ...state.mails.keys()) + 1}] next`);
      return void end('OK [READ-WRITE] selected');
    }
    if (/^LIST/iu.test(command)) tell(String.raw`LIST (\HasNoChildren) "/" "INBOX"`);
    if (/^UID SEARCH/iu.test(command)) tell(`SEARCH ${[...state.mails.keys()].join(' ')}`);
    const [, set = ''] = /^UID FETCH ([\d,]+) .*BODYSTRUCTURE/iu.exec(command) ?? [];
    for (const uid of set.split(',').filter((each) => state.mails.has(Number(each)))) {
      const sequence = [...state.mails.keys()].indexOf(Number(uid)) + 1;
      tell(`${sequence} FETCH (UID ${uid} BODYSTRUCTURE ${state.structures.get(Number(uid)) ?? plainText})`);
    }
    const [, wanted] = /^UID FETCH (\d+) /iu.exec(set === '' ? command : '') ?? [];
    const failure = /BODY/iu.test(command) ? state.failing.get(Number(wanted)) : undefined;
    if (failure === 'refuses') return void end('NO [SERVERBUG] cannot read it');
    if (failure === 'ends') return void socket.destroy();
    if (wanted !== undefined) {
      const sequence = [...state.mails.keys()].indexOf(Number(wanted)) + 1;
      const mail = state.mails.get(Number(wanted));
      const body = /BODY/iu.test(command) ? ` BODY[] {${mail?.length}}\r\n${mail}` : '';
      if (mail !== undefined) {
        const size = state.toldSizes.get(Number(wanted)) ?? mail.length;
        tell(`${sequence} FETCH (UID ${wanted} RFC822.SIZE ${size}${body})`);
      }
    }
    if (/^LOGOUT/iu.test(command)) {
      tell('BYE');
      end('OK out');
      return void socket.end();
    }
    end('OK done');
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(state, {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  });
}
