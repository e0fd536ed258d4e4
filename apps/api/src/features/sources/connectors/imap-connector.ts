import { DomainError, type ImapConfig } from '@docwright/contract';
import { isIP } from 'node:net';
import type { ImapFlowOptions, SearchObject } from 'imapflow';
import type { HostGuard } from '../../../platform/network/host-guard.ts';
import { filesPerBatch, refusedHost, type Connector, type FoundFile } from './connector.ts';
import { MailServerError, openImapSession, type ImapSession } from './imap-session.ts';
import { filesOfMail } from './mail-files.ts';
import type { ReadMail } from './mail-reader.ts';
import { fetchAccessToken, type TokenDependencies } from './oauth-token.ts';

interface ImapDependencies {
  guard: Pick<HostGuard, 'addressesOf' | 'isListed'>;
  password: string;
  /** For a mailbox with OAuth. */
  token: TokenDependencies;
  certificateAuthority?: string | undefined;
  readMail: ReadMail;
}

const timeoutMs = 30_000;
/** Base64 makes attachments larger. */
const mailOverhead = 1.4;
/** A list of 800,000 mails is one line. */
const maxLineBytes = 8 * 1024 * 1024;
const maxTokens = 100_000;
const dayMs = 86_400_000;
/** What a server may send until the folder is open, and for a command with a short answer. */
const shortBytes = 1024 * 1024;
/** The structures of one batch of mails. */
const maxStructureBytes = 32 * 1024 * 1024;
/** How often a server may end the connection because of a mail. Finding one among 500 takes ten. */
const maxReconnections = 200;
/** Mails that a server may give no answer about: each takes minutes. */
const maxLateMails = 2;

type OnProblem = (file: string, error: unknown) => void;

interface OpenFolder {
  session: ImapSession;
  /** The beginning of the identities of its mails. */
  prefix: string;
}

/**
 * Mails of one folder of a mailbox. A mail is known by its place (account, folder, UIDVALIDITY and UID), and its files by
 * its Message-ID and their bytes, so that a mail at another place brings no document twice.
 */
export function createImapConnector(config: ImapConfig, dependencies: ImapDependencies): Connector {
  const { guard, password, token, certificateAuthority, readMail } = dependencies;
  const { host, port, tls, user, folder, filter, afterwards, oauth, max_mb } = config;
  const maxMailBytes = Math.floor(max_mb * 1024 * 1024 * mailOverhead);
  let opened: Promise<OpenFolder> | undefined;
  let session: ImapSession | undefined;
  let allUids: Promise<Float64Array> | undefined;
  let auth: ImapFlowOptions['auth'];
  let reconnections = 0;
  let lateMails = 0;

  async function connect(signal?: AbortSignal): Promise<OpenFolder> {
    const place = new URL('http://localhost');
    place.hostname = host;
    place.port = String(port);
    if (tls === 'none' && !guard.isListed(place)) {
      const message =
        'Without TLS the password can be read on the way. Use TLS, or ask the operator to list the host in LLM_ALLOWED_HOSTS.';
      throw new DomainError('invalid', 'source_host_refused', message);
    }
    const addresses = await guard.addressesOf(host, port).catch((error: unknown) => {
      throw refusedHost(error) ?? unavailable();
    });
    // Each use can replace the refresh token.
    auth ??= oauth ? { user, accessToken: await fetchAccessToken(oauth, token) } : { user, pass: password };
    // Not before: a token that was fetched has replaced the former one.
    signal?.throwIfAborted();
    const name = isIP(host) === 0 ? { servername: host } : {};
    const options = {
      // The checked address, so that a second answer of the resolver has no effect.
      host: addresses[0]?.address ?? host,
      ...name,
      port,
      secure: tls === 'implicit',
      doSTARTTLS: tls === 'starttls',
      auth,
      disableAutoIdle: true,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs * 2,
      // A server can report a wrong size of a mail.
      maxLiteralSize: maxMailBytes,
      maxResponseSize: maxMailBytes + maxLineBytes,
      maxLineLength: maxLineBytes,
      maxResponseTokens: maxTokens,
      tls: { ...name, ...(certificateAuthority !== undefined && { ca: certificateAuthority }) },
    };
    await session?.leave();
    session = openImapSession();
    await session.run({ do: 'connect', options, expectedBytes: shortBytes }, signal).catch((error: unknown) => {
      throw error instanceof MailServerError && error.isRefused ? refused() : unavailable();
    });
    const isReadOnly = afterwards.do === 'leave';
    const uidValidity = await session
      .run({ do: 'open_folder', folder, isReadOnly, expectedBytes: shortBytes }, signal)
      .catch(() => {
        throw folderMissing(folder);
      });
    return { session, prefix: `${user}/${folder}/${uidValidity}/` };
  }
  const open = (signal?: AbortSignal) => (opened ??= connect(signal));

  async function uidOf({ identity }: Pick<FoundFile, 'identity'>): Promise<string | undefined> {
    const { prefix } = await open();
    return identity.startsWith(prefix) ? identity.slice(prefix.length) : undefined;
  }

  /** Throws `file_too_large`. */
  async function sourceOf(uid: string): Promise<Uint8Array | undefined> {
    const { session } = await open();
    const size = await session.run({ do: 'size', uid, expectedBytes: shortBytes });
    if (size === undefined) return undefined;
    if (size > maxMailBytes) throw tooLarge(max_mb);
    return await session.run({ do: 'source', uid, expectedBytes: maxMailBytes + maxLineBytes });
  }

  async function search(query: SearchObject, signal: AbortSignal): Promise<Float64Array> {
    const { session } = await open();
    return await session.run({ do: 'search', query, expectedBytes: maxLineBytes + shortBytes }, signal);
  }

  /** Why the server failed for a mail. The others are read through another connection if it has ended this one. */
  async function problemOfMail(failure: unknown): Promise<DomainError> {
    if (failure instanceof DomainError) return failure;
    if (!(failure instanceof MailServerError)) throw failure;
    if (failure.isLate) lateMails += 1;
    if (lateMails > maxLateMails) throw failure;
    const { session } = await open();
    const isOpen = await session.run({ do: 'look_again', expectedBytes: shortBytes }).then(
      () => true,
      () => false,
    );
    if (!isOpen) {
      reconnections += 1;
      if (reconnections > maxReconnections) throw failure;
      opened = connect();
      await opened.catch(() => {
        throw failure;
      });
    }
    return failure.isTooLarge ? tooLarge(max_mb) : unreadable();
  }

  /** Those of the mails that have attachments, or that have none. One that the server cannot describe is a problem by itself. */
  async function withAttachment(
    uids: number[],
    wanted: boolean,
    signal: AbortSignal,
    onProblemOf: (uid: number, error: unknown) => void,
  ): Promise<number[]> {
    const about = { do: 'keep_with_attachment', uids, wanted, expectedBytes: maxStructureBytes } as const;
    try {
      // The connection may be another one by now.
      return await (await open()).session.run(about, signal);
    } catch (error) {
      // Halves of the mails would each take as long.
      if (error instanceof MailServerError && error.isLate) throw error;
      const problem = await problemOfMail(error);
      if (uids.length === 1) {
        onProblemOf(uids[0]!, problem);
        return [];
      }
      const middle = uids.length >> 1;
      const halves = [uids.slice(0, middle), uids.slice(middle)];
      const kept: number[] = [];
      for (const half of halves) kept.push(...(await withAttachment(half, wanted, signal, onProblemOf)));
      return kept;
    }
  }

  async function* mails(signal: AbortSignal, onProblem: OnProblem): AsyncGenerator<FoundFile[]> {
    const { session, prefix } = await open();
    // The server reports changes of the folder only between commands.
    await session.run({ do: 'look_again', expectedBytes: shortBytes }, signal);
    allUids = undefined;
    const query = {
      all: true,
      // A server that cannot move leaves the mail there, marked as deleted.
      ...(afterwards.do === 'move_to' && { deleted: false }),
      ...(filter.from !== undefined && { from: filter.from }),
      ...(filter.subject !== undefined && { subject: filter.subject }),
      ...(filter.max_age_days !== undefined && { since: new Date(Date.now() - filter.max_age_days * dayMs) }),
    };
    const found = await search(query, signal);
    for (let at = 0; at < found.length; at += filesPerBatch) {
      signal.throwIfAborted();
      let uids = [...found.subarray(at, at + filesPerBatch)];
      if (filter.has_attachment !== undefined) {
        const onProblemOf = (uid: number, error: unknown) => onProblem(`${prefix}${uid}`, error);
        uids = await withAttachment(uids, filter.has_attachment, signal, onProblemOf);
      }
      // Mails never change.
      if (uids.length > 0) yield uids.map((uid) => ({ identity: `${prefix}${uid}`, size: 0, version: '1' }));
    }
  }

  async function settleMail(uid: string): Promise<'kept' | 'gone'> {
    const { session } = await open();
    if (afterwards.do === 'mark_seen') {
      await session.run({ do: 'mark_seen', uid, expectedBytes: shortBytes });
      return 'kept';
    }
    const target = afterwards.folder ?? '';
    const isMoved = await session.run({ do: 'move', uid, folder: target, expectedBytes: shortBytes });
    if (!isMoved) throw folderMissing(target);
    return 'gone';
  }

  return {
    async *list(signal, { onProblem }) {
      try {
        yield* mails(signal, onProblem);
      } catch (error) {
        signal.throwIfAborted();
        throw error instanceof DomainError ? error : unavailable();
      }
    },
    async read(file) {
      const uid = await uidOf(file);
      if (uid === undefined) return undefined;
      const mail = await sourceOf(uid).catch(async (error: unknown) => {
        throw await problemOfMail(error);
      });
      return mail === undefined ? undefined : await filesOfMail(mail, config, readMail);
    },
    async check(signal) {
      const { session } = await open(signal);
      const { folder: target } = afterwards;
      if (target === undefined) return;
      await session.run({ do: 'require_folder', folder: target, expectedBytes: shortBytes }, signal).catch(() => {
        throw folderMissing(target);
      });
    },
    async existing(identities, signal) {
      allUids ??= search({ all: true }, signal);
      const uids = await allUids;
      const there = new Set<string>();
      for (const identity of identities) {
        const uid = await uidOf({ identity });
        if (uid !== undefined && isIn(uids, Number(uid))) there.add(identity);
      }
      return there;
    },
    settle:
      afterwards.do === 'leave'
        ? undefined
        : async (file) => {
            const uid = await uidOf(file);
            if (uid === undefined) return 'gone';
            return await settleMail(uid).catch(async (error: unknown) => {
              throw await problemOfMail(error);
            });
          },
    close: async () => session?.leave(),
  };
}

/** Whether the value is in the list, which ascends. */
function isIn(list: Float64Array, value: number): boolean {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (list[middle]! < value) from = middle + 1;
    else to = middle;
  }
  return list[from] === value;
}

function tooLarge(max_mb: number): DomainError {
  return new DomainError('too_large', 'file_too_large', `The mail is over the ${max_mb} MB of max_mb.`);
}

function unreadable(): DomainError {
  const message =
    'The mail server does not hand out this mail. Open it in a mail program, and move or delete it if it is damaged.';
  return new DomainError('invalid', 'file_unreadable', message);
}

function refused(): DomainError {
  const message =
    'The mail server refuses the user or the password. Check both; many providers want OAuth or an app password.';
  return new DomainError('invalid', 'source_refused', message);
}

function unavailable(): DomainError {
  const message = 'The mail server cannot be reached, or its certificate is not valid. Check host, port and TLS.';
  return new DomainError('invalid', 'source_unavailable', message);
}

function folderMissing(folder: string): DomainError {
  return new DomainError('invalid', 'mail_folder_missing', `The mailbox has no folder “${folder}”. Check its name.`);
}
