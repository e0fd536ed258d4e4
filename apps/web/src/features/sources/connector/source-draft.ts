import type { ConnectorKind, FolderConfig, ImapConfig, S3Config, Source } from '@docwright/contract';
import type { ConnectorBody, SourceBody } from '../../../shared/api/sources-api.ts';
import { changedParts } from '../../../shared/http/changed-parts.ts';

/** How a mailbox is signed in to. */
export type MailSignIn = 'password' | NonNullable<ImapConfig['oauth']>['provider'];

/** The form of a source that fills itself; numbers and lists are texts, as they are typed. */
export interface SourceDraft {
  name: string;
  kind: ConnectorKind;
  every: string;
  tagIds: string[];
  /** Empty for what the organization's setting says. */
  autoCreate: '' | 'yes' | 'no';
  neverToModel: boolean;
  enabled: boolean;
  /** The secret key, the password or the refresh token; empty keeps the stored one. */
  secret: string;
  clientSecret: string;
  folder: {
    path: string;
    settleSeconds: string;
    depth: string;
    /** A line for each pattern. */
    ignore: string;
    subfolderTags: boolean;
    afterwards: FolderConfig['afterwards']['do'];
    target: string;
  };
  s3: { endpoint: string; region: string; bucket: string; prefix: string; pathStyle: boolean; accessKeyId: string };
  imap: {
    host: string;
    port: string;
    tls: ImapConfig['tls'];
    user: string;
    signIn: MailSignIn;
    clientId: string;
    tenant: string;
    tokenUrl: string;
    scope: string;
    folder: string;
    from: string;
    subject: string;
    hasAttachment: boolean;
    maxAgeDays: string;
    parts: ImapConfig['parts'];
    maxFiles: string;
    maxMb: string;
    afterwards: ImapConfig['afterwards']['do'];
    target: string;
  };
}

/** What each part of the form gets. */
export interface SourcePartProps {
  draft: SourceDraft;
  /** Absent for a new source. */
  former: Source | undefined;
  onChange: (part: Partial<SourceDraft>) => void;
}

type TextKey<Part> = { [Key in keyof Part]: string extends Part[Key] ? Key : never }[keyof Part];

/** The value of a field of text, by its key in a part of the form, and what happens when a user types. */
export const fieldOf =
  <Part extends object>(part: Part, change: (part: Partial<Part>) => void) =>
  (key: TextKey<Part>) => ({
    value: part[key] as string,
    onChange: ({ target }: { target: { value: string } }) => change({ [key]: target.value } as Partial<Part>),
  });

const hosts: Partial<Record<MailSignIn, string>> = { microsoft: 'outlook.office365.com', google: 'imap.gmail.com' };

/** The mailbox with another way to sign in, and the host that belongs to it unless another was typed. */
export function signedInBy(imap: SourceDraft['imap'], signIn: MailSignIn): SourceDraft['imap'] {
  const isPreset = imap.host === '' || Object.values(hosts).includes(imap.host);
  return { ...imap, signIn, ...(isPreset && { host: hosts[signIn] ?? '' }) };
}

const folderDraft = (config?: FolderConfig): SourceDraft['folder'] => ({
  path: config?.path ?? '',
  settleSeconds: String(config?.settle_seconds ?? 5),
  depth: String(config?.depth ?? 10),
  ignore: (config?.ignore ?? []).join('\n'),
  subfolderTags: config?.subfolder_tags ?? false,
  afterwards: config?.afterwards.do ?? 'leave',
  target: config?.afterwards.folder ?? '',
});

const s3Draft = (config?: S3Config): SourceDraft['s3'] => ({
  endpoint: config?.endpoint ?? '',
  region: config?.region ?? 'us-east-1',
  bucket: config?.bucket ?? '',
  prefix: config?.prefix ?? '',
  pathStyle: config?.path_style ?? false,
  accessKeyId: config?.access_key_id ?? '',
});

const imapDraft = (config?: ImapConfig): SourceDraft['imap'] => ({
  host: config?.host ?? '',
  port: String(config?.port ?? 993),
  tls: config?.tls ?? 'implicit',
  user: config?.user ?? '',
  signIn: config?.oauth?.provider ?? 'password',
  clientId: config?.oauth?.client_id ?? '',
  tenant: config?.oauth?.tenant ?? '',
  tokenUrl: config?.oauth?.token_url ?? '',
  scope: config?.oauth?.scope ?? '',
  folder: config?.folder ?? 'INBOX',
  from: config?.filter.from ?? '',
  subject: config?.filter.subject ?? '',
  hasAttachment: config?.filter.has_attachment ?? false,
  maxAgeDays: config?.filter.max_age_days?.toString() ?? '',
  parts: config?.parts ?? 'attachments',
  maxFiles: String(config?.max_files ?? 50),
  maxMb: String(config?.max_mb ?? 50),
  afterwards: config?.afterwards.do ?? 'leave',
  target: config?.afterwards.folder ?? '',
});

/** The form of a source, empty for a new one. Secrets are never in it. */
export function sourceDraft(source?: Source): SourceDraft {
  const { connector } = source ?? {};
  return {
    name: source?.name ?? '',
    kind: connector?.kind ?? 'folder',
    every: source?.every ?? '15m',
    tagIds: source?.tag_ids ?? [],
    neverToModel: source?.never_to_model ?? false,
    autoCreate: source?.auto_create === undefined ? '' : source.auto_create ? 'yes' : 'no',
    enabled: source?.enabled ?? true,
    secret: '',
    clientSecret: '',
    folder: folderDraft(connector?.kind === 'folder' ? connector.config : undefined),
    s3: s3Draft(connector?.kind === 's3' ? connector.config : undefined),
    imap: imapDraft(connector?.kind === 'imap' ? connector.config : undefined),
  };
}

/** `afterwards` with its folder only where files are moved. */
const afterwardsOf = <Do extends string>({ afterwards, target }: { afterwards: Do; target: string }) => ({
  do: afterwards,
  ...(afterwards === 'move_to' && { folder: target.trim() }),
});

const given = <Key extends string>(key: Key, text: string) =>
  (text.trim() === '' ? {} : { [key]: text.trim() }) as { [Each in Key]?: string };

function folderConfigOf({ folder, kind }: SourceDraft, former: Source | undefined) {
  const ignore = folder.ignore.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const wasFolder = kind === 'folder' && former?.connector?.kind === 'folder';
  return {
    path: folder.path.trim(),
    settle_seconds: Number(folder.settleSeconds),
    depth: Number(folder.depth),
    subfolder_tags: folder.subfolderTags,
    afterwards: afterwardsOf(folder),
    // A new source without patterns of its own leaves out temporary and hidden files.
    ...((ignore.length > 0 || wasFolder) && { ignore }),
  };
}

function imapConfigOf({ imap }: SourceDraft) {
  const { signIn } = imap;
  return {
    host: imap.host.trim(),
    port: Number(imap.port),
    tls: imap.tls,
    user: imap.user.trim(),
    folder: imap.folder.trim() || 'INBOX',
    filter: {
      ...given('from', imap.from),
      ...given('subject', imap.subject),
      ...(imap.hasAttachment && { has_attachment: true }),
      ...(imap.maxAgeDays !== '' && { max_age_days: Number(imap.maxAgeDays) }),
    },
    parts: imap.parts,
    max_files: Number(imap.maxFiles),
    max_mb: Number(imap.maxMb),
    afterwards: afterwardsOf(imap),
    ...(signIn !== 'password' && {
      oauth: {
        provider: signIn,
        client_id: imap.clientId.trim(),
        ...(signIn === 'microsoft' && given('tenant', imap.tenant)),
        ...(signIn === 'other' && { token_url: imap.tokenUrl.trim(), ...given('scope', imap.scope) }),
      },
    }),
  };
}

/** The connector of the form. A secret that was not typed is left out: the stored one stays. */
export function connectorOf(draft: SourceDraft, former?: Source): ConnectorBody {
  const { kind, s3 } = draft;
  const secret = draft.secret === '' ? {} : { secret: draft.secret };
  if (kind === 'folder') return { kind, config: folderConfigOf(draft, former) };
  if (kind === 's3') {
    const { endpoint, region, bucket, prefix, pathStyle: path_style, accessKeyId } = s3;
    const config = { endpoint: endpoint.trim(), region: region.trim(), bucket: bucket.trim(), prefix, path_style };
    return { kind, config: { ...config, ...given('access_key_id', accessKeyId) }, ...secret };
  }
  const client_secret =
    draft.clientSecret === '' || draft.imap.signIn === 'password' ? {} : { client_secret: draft.clientSecret };
  return { kind, config: imapConfigOf(draft), ...secret, ...client_secret };
}

const autoCreateOf = { '': undefined, yes: true, no: false };

/** The request body of a new source. */
export function sourceBody(draft: SourceDraft): SourceBody {
  const auto_create = autoCreateOf[draft.autoCreate];
  return {
    name: draft.name.trim(),
    connector: connectorOf(draft),
    every: draft.every,
    enabled: draft.enabled,
    ...(draft.tagIds.length > 0 && { tag_ids: draft.tagIds }),
    ...(auto_create !== undefined && { auto_create }),
    ...(draft.neverToModel && { never_to_model: true }),
  };
}

/**
 * The request body of a change: what differs from the source that was opened. An unchanged connector is left out also because
 * sending it starts a sync.
 */
export function sourceChange(draft: SourceDraft, opened: Source) {
  return changedParts(wholeChange(draft, opened), changeableParts(opened));
}

function wholeChange(draft: SourceDraft, opened: Source) {
  return {
    name: draft.name.trim(),
    tag_ids: draft.tagIds,
    auto_create: autoCreateOf[draft.autoCreate] ?? null,
    never_to_model: draft.neverToModel,
    every: draft.every,
    enabled: draft.enabled,
    connector: connectorOf(draft, opened),
  };
}

/** A source as a change would send it. */
export const changeableParts = (source: Source) => wholeChange(sourceDraft(source), source);

/** Whether the stored secret belongs to another host or user than those of the form: then it must be sent again. */
export function needsSecretAgain(draft: SourceDraft, former: Source | undefined): boolean {
  const stored = former?.connector;
  if (stored === undefined || stored.kind !== draft.kind || stored.kind === 'folder') return false;
  if (stored.kind === 's3') {
    const { endpoint, accessKeyId } = draft.s3;
    const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : url);
    return (
      originOf(endpoint) !== originOf(stored.config.endpoint) || accessKeyId !== (stored.config.access_key_id ?? '')
    );
  }
  const now = imapDraft(stored.config);
  const places = ['host', 'port', 'tls', 'user', 'signIn', 'clientId', 'tenant', 'tokenUrl'] as const;
  return places.some((key) => now[key] !== draft.imap[key]);
}

/** Whether the required fields are filled in. */
export function isSendable(draft: SourceDraft, former: Source | undefined): boolean {
  const { name, kind, folder, s3, imap, secret } = draft;
  const hasSecret = secret !== '' || (former !== undefined && !needsSecretAgain(draft, former));
  const filled = (...texts: string[]) => texts.every((text) => text.trim() !== '');
  if (!filled(name)) return false;
  if (kind === 'folder') return filled(folder.path) && (folder.afterwards !== 'move_to' || filled(folder.target));
  if (kind === 's3') return filled(s3.endpoint, s3.bucket) && (s3.accessKeyId.trim() === '' || hasSecret);
  const signsIn =
    imap.signIn === 'password' || filled(imap.clientId, ...(imap.signIn === 'other' ? [imap.tokenUrl] : []));
  return filled(imap.host, imap.user) && hasSecret && signsIn && (imap.afterwards !== 'move_to' || filled(imap.target));
}
