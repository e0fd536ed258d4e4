import { DomainError, type ImapConfig } from '@docwright/contract';
import { isIP } from 'node:net';
import { ImapFlow, type MessageStructureObject, type SearchObject } from 'imapflow';
import type { HostGuard } from '../../../platform/network/host-guard.ts';
import { filesPerBatch, refusedHost, type Connector, type FoundFile } from './connector.ts';
import { filesOfMail } from './mail-files.ts';
import { fetchAccessToken, type TokenDependencies } from './oauth-token.ts';

interface ImapDependencies {
  guard: Pick<HostGuard, 'addressesOf' | 'isListed'>;
  password: string;
  /** For a mailbox with OAuth. */
  token: TokenDependencies;
  certificateAuthority?: string | undefined;
}

const timeoutMs = 30_000;
const closeMs = 5_000;
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
const receivedEveryMs = 20;

interface OpenFolder {
  client: ImapFlow;
  /** The beginning of the identities of its mails. */
  prefix: string;
  /** Sets how much the server may send from now on. */
  expectBytes: (most: number) => void;
}

/**
 * Mails of one folder of a mailbox. A mail is known by its place (account, folder, UIDVALIDITY and UID), and its files by
 * its Message-ID and their bytes, so that a mail at another place brings no document twice.
 */
export function createImapConnector(config: ImapConfig, dependencies: ImapDependencies): Connector {
  const { guard, password, token, certificateAuthority } = dependencies;
  const { host, port, tls, user, folder, filter, afterwards, oauth, max_mb } = config;
  const maxMailBytes = Math.floor(max_mb * 1024 * 1024 * mailOverhead);
  let opened: Promise<OpenFolder> | undefined;
  let allUids: Promise<Set<number>> | undefined;

  async function connect(): Promise<OpenFolder> {
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
    const auth = oauth ? { user, accessToken: await fetchAccessToken(oauth, token) } : { user, pass: password };
    const name = isIP(host) === 0 ? { servername: host } : {};
    const client = new ImapFlow({
      // The checked address, so that a second answer of the resolver has no effect.
      host: addresses[0]?.address ?? host,
      ...name,
      port,
      secure: tls === 'implicit',
      doSTARTTLS: tls === 'starttls',
      auth,
      logger: false,
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
    });
    // Calls that wait are rejected as well.
    client.on('error', () => undefined);
    const expectBytes = limitReceived(client);
    try {
      await client.connect();
    } catch (error) {
      client.close();
      throw isRefused(error) ? refused() : unavailable();
    }
    try {
      const mailbox = await client.mailboxOpen(folder, { readOnly: afterwards.do === 'leave' });
      return { client, prefix: `${user}/${folder}/${mailbox.uidValidity}/`, expectBytes };
    } catch {
      client.close();
      throw folderMissing(folder);
    }
  }
  const open = () => (opened ??= connect());

  async function uidOf({ identity }: Pick<FoundFile, 'identity'>): Promise<string | undefined> {
    const { prefix } = await open();
    return identity.startsWith(prefix) ? identity.slice(prefix.length) : undefined;
  }

  async function search(query: SearchObject): Promise<number[]> {
    const { client, expectBytes } = await open();
    expectBytes(maxLineBytes + shortBytes);
    const found = await client.search(query, { uid: true });
    if (found === false || found === undefined) throw unavailable();
    return found.toSorted((one, other) => one - other);
  }

  async function* mails(signal: AbortSignal): AsyncGenerator<FoundFile[]> {
    const { client, prefix, expectBytes } = await open();
    // The server reports changes of the folder only between commands.
    expectBytes(maxLineBytes + shortBytes);
    await client.noop();
    allUids = undefined;
    const uids = await search({
      all: true,
      ...(filter.from !== undefined && { from: filter.from }),
      ...(filter.subject !== undefined && { subject: filter.subject }),
      ...(filter.max_age_days !== undefined && { since: new Date(Date.now() - filter.max_age_days * dayMs) }),
    });
    for (let at = 0; at < uids.length; at += filesPerBatch) {
      signal.throwIfAborted();
      let batch = uids.slice(at, at + filesPerBatch);
      if (filter.has_attachment !== undefined) {
        const kept = new Set<number>();
        expectBytes(maxStructureBytes);
        for await (const { uid, bodyStructure } of client.fetch(
          batch.join(','),
          { uid: true, bodyStructure: true },
          { uid: true },
        )) {
          if ((bodyStructure !== undefined && hasAttachment(bodyStructure)) === filter.has_attachment) kept.add(uid);
        }
        batch = batch.filter((uid) => kept.has(uid));
      }
      // Mails never change.
      if (batch.length > 0) yield batch.map((uid) => ({ identity: `${prefix}${uid}`, size: 0, version: '1' }));
    }
  }

  return {
    async *list(signal) {
      try {
        yield* mails(signal);
      } catch (error) {
        signal.throwIfAborted();
        // The client rejects with errors of its own when the server breaks off.
        throw error instanceof DomainError ? error : unavailable();
      }
    },
    async read(file) {
      const uid = await uidOf(file);
      if (uid === undefined) return undefined;
      const { client, expectBytes } = await open();
      expectBytes(shortBytes);
      const about = await client.fetchOne(uid, { size: true }, { uid: true });
      if (about === false) return undefined;
      if ((about.size ?? 0) > maxMailBytes) {
        throw new DomainError('too_large', 'file_too_large', `The mail is over the ${max_mb} MB of max_mb.`);
      }
      expectBytes(maxMailBytes + maxLineBytes);
      const mail = await client.fetchOne(uid, { source: true }, { uid: true });
      return mail === false || mail.source === undefined ? undefined : await filesOfMail(mail.source, config);
    },
    async check() {
      const { client, expectBytes } = await open();
      if (afterwards.folder === undefined) return;
      expectBytes(shortBytes);
      await client.status(afterwards.folder, { messages: true }).catch(() => {
        throw folderMissing(afterwards.folder ?? '');
      });
    },
    async existing(identities) {
      allUids ??= search({ all: true }).then((uids) => new Set(uids));
      const uids = await allUids;
      const there = new Set<string>();
      for (const identity of identities) {
        const uid = await uidOf({ identity });
        if (uid !== undefined && uids.has(Number(uid))) there.add(identity);
      }
      return there;
    },
    settle:
      afterwards.do === 'leave'
        ? undefined
        : async (file) => {
            const uid = await uidOf(file);
            if (uid === undefined) return 'gone';
            const { client, expectBytes } = await open();
            expectBytes(shortBytes);
            if (afterwards.do === 'mark_seen') {
              await client.messageFlagsAdd(uid, [String.raw`\Seen`], { uid: true });
              return 'kept';
            }
            if (!(await client.messageMove(uid, afterwards.folder ?? '', { uid: true })))
              throw folderMissing(afterwards.folder ?? '');
            return 'gone';
          },
    async close() {
      const { client } = (await opened?.catch(() => undefined)) ?? {};
      if (client === undefined) return;
      // A server that never answers this keeps no connection.
      const timer = setTimeout(() => client.close(), closeMs);
      await client.logout().catch(() => client.close());
      clearTimeout(timer);
    },
  };
}

/**
 * Closes the connection of a server that sends more than its commands can need: each byte is parsed in the process of all
 * users. What it returns sets how much may come from now on.
 */
function limitReceived(client: ImapFlow): (most: number) => void {
  const received = () => client.stats().received;
  let allowed = shortBytes;
  const timer = setInterval(() => {
    if (received() > allowed) client.close();
  }, receivedEveryMs).unref();
  client.once('close', () => clearInterval(timer));
  return (most) => void (allowed = received() + most);
}

function hasAttachment({ disposition, type, childNodes = [] }: MessageStructureObject): boolean {
  if (childNodes.length > 0 && type !== 'message/rfc822') return childNodes.some(hasAttachment);
  return disposition === 'attachment' || type === 'message/rfc822' || type.startsWith('application/');
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'authenticationFailed' in error && error.authenticationFailed === true;
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
