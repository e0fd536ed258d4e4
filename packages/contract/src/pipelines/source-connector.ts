import { z } from 'zod';

/** Files that are temporary or hidden. */
export const defaultIgnored = ['.*', '~$*', '*.tmp', '*.part', '*.crdownload', 'Thumbs.db', 'desktop.ini'];

const folderName = z.string().trim().min(1).max(1_000);

/** A folder on the server's disk, within a directory that the operator bound to the organization in `INLET_DIRS`. */
export const folderConfig = z.strictObject({
  path: z.string().min(1).max(4_000).startsWith('/', 'The path of a folder is absolute.'),
  /** A file is taken once its size and time have not changed for so long. */
  settle_seconds: z.number().int().min(0).max(3_600).default(5),
  /** Names of files and folders to leave out; `*` stands for any text. */
  ignore: z.array(z.string().min(1).max(200)).max(100).default(defaultIgnored),
  /** How many levels of subfolders are read. */
  depth: z.number().int().min(0).max(50).default(10),
  /** A document gets a tag for each subfolder that its file is in; tags that do not exist are created. */
  subfolder_tags: z.boolean().default(false),
  /** What to do with a file once it is a document. `move_to` needs a `folder` within the operator's directory. */
  afterwards: z
    .strictObject({ do: z.enum(['leave', 'move_to', 'delete']), folder: folderName.optional() })
    .refine(({ do: then, folder }) => (then === 'move_to') === (folder !== undefined), {
      message: 'move_to needs a folder, and only move_to has one.',
    })
    .default({ do: 'leave' }),
});
export type FolderConfig = z.infer<typeof folderConfig>;

/** A bucket of a server that speaks S3. Without `access_key_id` the machine's own role signs, where the operator allows it. */
export const s3Config = z.strictObject({
  endpoint: z.url({ protocol: /^https?$/ }).max(2_000),
  region: z.string().trim().min(1).max(100).default('us-east-1'),
  bucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'A bucket has 3 to 63 lower-case letters, digits, dots and hyphens.'),
  prefix: z.string().max(1_024).default(''),
  /** The bucket is part of the path and not of the host. */
  path_style: z.boolean().default(false),
  access_key_id: z.string().trim().min(1).max(200).optional(),
});
export type S3Config = z.infer<typeof s3Config>;

/** How a mailbox is signed in to with OAuth; `secret` is the refresh token. */
export const imapOauth = z
  .strictObject({
    provider: z.enum(['microsoft', 'google', 'other']),
    client_id: z.string().trim().min(1).max(300),
    /** For `other`. */
    token_url: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .optional(),
    scope: z.string().trim().min(1).max(1_000).optional(),
    /** For `microsoft`; any tenant without it. */
    tenant: z
      .string()
      .regex(/^[\w.-]{1,100}$/, 'A tenant is an id or a domain.')
      .optional(),
  })
  .refine(({ provider, token_url }) => (provider === 'other') === (token_url !== undefined), {
    message: 'token_url belongs to the provider other, and only to it.',
  });

/** A folder of a mailbox. */
export const imapConfig = z.strictObject({
  host: z.string().trim().min(1).max(253),
  port: z.number().int().min(1).max(65_535).default(993),
  /** `none` only for hosts that the operator lists. */
  tls: z.enum(['implicit', 'starttls', 'none']).default('implicit'),
  user: z.string().trim().min(1).max(320),
  folder: folderName.default('INBOX'),
  filter: z
    .strictObject({
      /** Part of the sender. */
      from: z.string().trim().min(1).max(320).optional(),
      /** Part of the subject. */
      subject: z.string().trim().min(1).max(500).optional(),
      has_attachment: z.boolean().optional(),
      max_age_days: z.number().int().min(1).max(3_650).optional(),
    })
    .default({}),
  parts: z.enum(['attachments', 'mail', 'both']).default('attachments'),
  /** How many files one mail may bring, with those of its archives and mails inside of it. */
  max_files: z.number().int().min(1).max(500).default(50),
  /** How large they may be together, unpacked. */
  max_mb: z.number().int().min(1).max(200).default(50),
  /** What to do with a mail once its files are documents. */
  afterwards: z
    .strictObject({ do: z.enum(['leave', 'mark_seen', 'move_to']), folder: folderName.optional() })
    .refine(({ do: then, folder }) => (then === 'move_to') === (folder !== undefined), {
      message: 'move_to needs a folder, and only move_to has one.',
    })
    .default({ do: 'leave' }),
  oauth: imapOauth.optional(),
});
export type ImapConfig = z.infer<typeof imapConfig>;

/** Write-only: answers have it masked. One that is sent back masked is kept. */
const secret = z.string().min(1).max(8_000).optional();

/**
 * Where a source takes its files from. `secret` is the secret key of S3, or the password or refresh token of IMAP;
 * `client_secret` is that of the OAuth client, if it has one.
 */
export const sourceConnector = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('folder'), config: folderConfig }),
  z.strictObject({ kind: z.literal('s3'), config: s3Config, secret }),
  z.strictObject({ kind: z.literal('imap'), config: imapConfig, secret, client_secret: secret }),
]);
export type SourceConnector = z.infer<typeof sourceConnector>;
export type ConnectorKind = SourceConnector['kind'];
