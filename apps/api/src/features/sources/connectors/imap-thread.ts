import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { ImapFlow, type ImapFlowOptions, type MessageStructureObject, type SearchObject } from 'imapflow';

/** What a mail server is asked for. `expectedBytes` is the most that it may send for it. */
export type ImapCommand = { expectedBytes: number } & (
  | { do: 'connect'; options: Omit<ImapFlowOptions, 'logger'> }
  | { do: 'open_folder'; folder: string; isReadOnly: boolean }
  | { do: 'look_again' }
  | { do: 'search'; query: SearchObject }
  | { do: 'keep_with_attachment'; uids: number[]; wanted: boolean }
  | { do: 'size'; uid: string }
  | { do: 'source'; uid: string }
  | { do: 'mark_seen'; uid: string }
  | { do: 'move'; uid: string; folder: string }
  | { do: 'require_folder'; folder: string }
  | { do: 'leave' }
);

/** What each command brings. */
export interface ImapResults {
  connect: undefined;
  /** UIDVALIDITY. */
  open_folder: string;
  look_again: undefined;
  /** UIDs in ascending order. */
  search: Float64Array<ArrayBuffer>;
  keep_with_attachment: number[];
  size: number | undefined;
  source: Uint8Array<ArrayBuffer> | undefined;
  mark_seen: undefined;
  move: boolean;
  require_folder: undefined;
  leave: undefined;
}

export type ImapAnswer =
  | { type: 'done'; result: ImapResults[keyof ImapResults] }
  | { type: 'failed'; isRefused: boolean; isTooLarge: boolean };

const receivedEveryMs = 20;

const port = parentPort;
if (!port) throw new Error('imap-thread.ts runs in a worker thread.');

let client: ImapFlow | undefined;
let allowedBytes = 0;
/** The connection was ended because the server sent more than it may. */
let isTooLarge = false;

port.on('message', (command: ImapCommand) => void reply(command));

async function reply(command: ImapCommand): Promise<void> {
  try {
    const result = await run(command);
    const moved = ArrayBuffer.isView(result) ? [result.buffer] : [];
    port?.postMessage({ type: 'done', result } satisfies ImapAnswer, moved);
  } catch (error) {
    // The words of the server are not passed on: they can repeat a password.
    const isRefused = error instanceof Error && 'authenticationFailed' in error && error.authenticationFailed === true;
    // The client tells why it ended the connection after the command has failed.
    await nextTurn();
    port?.postMessage({ type: 'failed', isRefused, isTooLarge } satisfies ImapAnswer);
  }
}

async function run(command: ImapCommand): Promise<ImapResults[keyof ImapResults]> {
  if (command.do === 'connect') {
    client = new ImapFlow({ ...command.options, logger: false });
    // Calls that wait are rejected as well.
    client.on('error', ({ code }: Error & { code?: string }) => {
      isTooLarge ||= code === 'LiteralTooLarge' || code === 'ResponseTooLarge';
    });
    allowedBytes = command.expectedBytes;
    leaveServerThatSendsMore(client);
    await client.connect();
    return undefined;
  }
  if (client === undefined) throw new Error('There is no connection.');
  allowedBytes = client.stats().received + command.expectedBytes;
  const byUid = { uid: true };
  switch (command.do) {
    case 'open_folder': {
      const { uidValidity } = await client.mailboxOpen(command.folder, { readOnly: command.isReadOnly });
      return String(uidValidity);
    }
    case 'look_again':
      await client.noop();
      return undefined;
    case 'search': {
      const found = await client.search(command.query, byUid);
      if (found === false || found === undefined) throw new Error('The server cannot search.');
      return Float64Array.from(found).toSorted();
    }
    case 'keep_with_attachment': {
      const kept = new Set<number>();
      const wanted = { uid: true, bodyStructure: true };
      for await (const { uid, bodyStructure } of client.fetch(command.uids.join(','), wanted, byUid)) {
        if ((bodyStructure !== undefined && hasAttachment(bodyStructure)) === command.wanted) kept.add(uid);
      }
      return command.uids.filter((uid) => kept.has(uid));
    }
    case 'size': {
      const about = await client.fetchOne(command.uid, { size: true }, byUid);
      return about === false ? undefined : (about.size ?? 0);
    }
    case 'source': {
      const mail = await client.fetchOne(command.uid, { source: true }, byUid);
      // A copy of its own can move to the other thread.
      return mail === false || mail.source === undefined ? undefined : new Uint8Array(mail.source);
    }
    case 'mark_seen':
      return void (await client.messageFlagsAdd(command.uid, [String.raw`\Seen`], byUid));
    case 'move':
      return await moveMail(client, command);
    case 'require_folder':
      return void (await client.status(command.folder, { messages: true }));
    case 'leave':
      await client.logout();
      return undefined;
  }
}

/**
 * Without MOVE and UIDPLUS a server can only expunge all mails that are marked as deleted, also those that others have marked:
 * the mail then stays in its folder with that mark.
 */
async function moveMail(connected: ImapFlow, { uid, folder }: { uid: string; folder: string }): Promise<boolean> {
  const byUid = { uid: true };
  const { capabilities } = connected;
  if (capabilities.has('MOVE') || capabilities.has('UIDPLUS')) {
    return Boolean(await connected.messageMove(uid, folder, byUid));
  }
  if (!(await connected.messageCopy(uid, folder, byUid))) return false;
  return await connected.messageFlagsAdd(uid, [String.raw`\Seen`, String.raw`\Deleted`], byUid);
}

/** Ends the connection of a server that sends more than its commands can need. */
function leaveServerThatSendsMore(connected: ImapFlow): void {
  const timer = setInterval(() => {
    if (connected.stats().received <= allowedBytes) return;
    isTooLarge = true;
    connected.close();
  }, receivedEveryMs);
  connected.once('close', () => clearInterval(timer));
}

function hasAttachment({ disposition, type, childNodes = [] }: MessageStructureObject): boolean {
  if (childNodes.length > 0 && type !== 'message/rfc822') return childNodes.some(hasAttachment);
  return disposition === 'attachment' || type === 'message/rfc822' || type.startsWith('application/');
}
