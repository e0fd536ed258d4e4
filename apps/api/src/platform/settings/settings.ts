import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { filesPlaceOf } from '../s3/files-url.ts';

/** An invalid setting; the message is one line that names it and its accepted values. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const wholeNumber = (from: number, to: number) => {
  const takes = `takes a whole number from ${from} to ${to}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, takes)
    .transform(Number)
    .pipe(z.number(takes).min(from, takes).max(to, takes));
};
const choice = <Value extends string>(...values: [Value, ...Value[]]) =>
  z.enum(values, `takes one of ${values.join(', ')}`);
const httpUrl = z.url({ protocol: /^https?$/, error: 'takes an address that starts with http:// or https://' });
const isHostOrHostAndPort = (entry: string) =>
  isIPv6(entry) || (/^(\[[0-9a-f:.]+\]|[\p{L}\p{N}._-]+)(:\d+)?$/u.test(entry) && URL.canParse(`http://${entry}`));
const isProxy = (entry: string) =>
  ['loopback', 'linklocal', 'uniquelocal'].includes(entry) || ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry);
/** Separated by commas, in lower case. */
const list = z.string().transform((entries) => entries.split(',').map((entry) => entry.trim().toLowerCase()));
const seconds = wholeNumber(1, 31_536_000);
/** At most a week: a timer of more than 24 days ends at once, and a part of the time is counted twice. */
const timerSeconds = wholeNumber(1, 604_800);

const environment = z.object({
  HOST: z
    .string()
    .regex(/^[0-9a-z.:-]+$/i, 'takes an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0')
    .default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  DATA_DIR: z.string().default('./.data'),
  MONGODB_URI: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/\S+$/, 'takes an address that starts with mongodb:// or mongodb+srv://')
    .optional(),
  SYNCHRONOUS: choice('normal', 'full').default('normal'),
  ROLE: choice('all', 'api', 'worker').default('all'),
  S3_MACHINE_ROLE: z
    .string()
    .transform((ids) => ids.split(',').map((id) => id.trim()))
    .refine((ids) => ids.every((id) => /^[0-9a-f]{24}$/u.test(id)), 'takes ids of organizations, separated by commas')
    .default([]),
  INLET_DIRS: z
    .string()
    .transform((entries) => entries.split(',').map((entry) => entry.trim()))
    .refine(
      (entries) => entries.every((entry) => /^[0-9a-f]{24}=\/.*$/u.test(entry)),
      'takes <organization id>=/path, separated by commas',
    )
    .default([]),
  FILES_URL: z
    .string()
    .transform((text, context) => {
      try {
        return filesPlaceOf(text);
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message });
        return z.NEVER;
      }
    })
    .optional(),
  FILES_ACCESS_KEY_ID: z.string().optional(),
  FILES_SECRET_ACCESS_KEY: z.string().optional(),
  OCR_ENGINE: choice('auto', 'tesseract', 'ppocr').default('auto'),
  OCR_MODELS: z.string().optional(),
  /** Read by `npm start`, which fetches the models before any page needs them. */
  OCR_DOWNLOAD: choice('true', 'false').default('true'),
  LLM_BASE_URL: httpUrl.optional(),
  LLM_API_KEY: z.string().optional(),
  LLM_MODEL: z.string().optional(),
  LLM_FALLBACK_MODEL: z.string().optional(),
  LLM_EMBEDDING_MODEL: z.string().optional(),
  LLM_VISION: choice('false', 'true', 'auto').default('false'),
  MODEL_PRICES: z.string().optional(),
  LLM_ALLOWED_HOSTS: list
    .refine((hosts) => hosts.every(isHostOrHostAndPort), 'takes hosts or host:port, separated by commas')
    .default([]),
  APP_SECRET: z.string().min(16, 'takes at least 16 characters').optional(),
  ALLOW_SIGNUP: choice('false', 'true')
    .transform((value) => value === 'true')
    .default(false),
  PUBLIC_URL: httpUrl
    .refine((url) => /^https?:\/\/[^/?#]+\/?$/.test(url), 'takes an address without a path')
    .transform((url) => new URL(url).origin)
    .optional(),
  TRUSTED_PROXIES: list
    .refine(
      (proxies) => proxies.every(isProxy),
      'takes addresses, networks such as 10.0.0.0/8, or loopback, linklocal and uniquelocal, separated by commas',
    )
    .default([]),
  TURN_STORE: choice('mongo', 'memory').default('mongo'),
  TURN_TTL_SECONDS: seconds.optional(),
  PARKED_TTL_SECONDS: seconds.default(604_800),
  AGENT_MAX_ROUNDS: wholeNumber(1, 100).default(10),
  HEADLESS_TIMEOUT_SECONDS: timerSeconds.default(120),
  SUBAGENT_TIMEOUT_SECONDS: timerSeconds.default(300),
  CONVERSATION_TTL_SECONDS: seconds.default(86_400),
  MAX_UPLOAD_MB: wholeNumber(1, 2_000).default(50),
  MAX_ATTACHMENTS: wholeNumber(0, 1_000).default(50),
  MAX_STORAGE_MB: wholeNumber(1, 1_000_000_000).optional(),
  MAX_EXTRACTION_REQUESTS: wholeNumber(1, 10_000).default(200),
  MAX_UNATTENDED_MODEL_CALLS: wholeNumber(1, 10_000).default(32),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  LOG_LEVEL: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
});

export type Vision = 'true' | 'false' | 'auto';
export type ProcessRole = 'all' | 'api' | 'worker';

/** All settings, validated. Unset ones without a default are undefined. */
export type Settings = ReturnType<typeof readSettings>;

/** Settings that a file can hold, named by the variable with `_FILE`: what is in the environment, every process can read. */
const secrets = ['APP_SECRET', 'MONGODB_URI', 'LLM_API_KEY', 'FILES_SECRET_ACCESS_KEY'] as const;

/** Adds the secrets that are given as files, without the line break at the end. */
function withSecretFiles(given: Record<string, string | undefined>): Record<string, string | undefined> {
  const read: Record<string, string> = {};
  for (const name of secrets) {
    const file = given[`${name}_FILE`];
    if (file === undefined) continue;
    if (given[name] !== undefined) throw new SettingsError(`${name} and ${name}_FILE are both set; set one of them.`);
    try {
      read[name] = readFileSync(file, 'utf8').trim();
    } catch (error) {
      throw new SettingsError(`${name}_FILE takes the path of a file that can be read: ${(error as Error).message}.`);
    }
    if (read[name] === '') throw new SettingsError(`${name}_FILE names an empty file; write the secret into it.`);
  }
  return { ...given, ...read };
}

/**
 * Reads the settings from the environment; an empty variable counts as unset.
 * @throws SettingsError for the first invalid one.
 */
export function readSettings(variables: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim()));
  const parsed = environment.safeParse(withSecretFiles(given));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new SettingsError(`${String(issue?.path[0])} ${issue?.message}.`);
  }
  const env = parsed.data;
  if (env.MONGODB_URI !== undefined && env.APP_SECRET === undefined) {
    throw new SettingsError(
      'APP_SECRET takes at least 16 characters and must be set when MONGODB_URI is, so that every process signs alike.',
    );
  }
  if (env.LLM_BASE_URL !== undefined && env.LLM_MODEL === undefined) {
    throw new SettingsError('LLM_MODEL takes the name of a model at LLM_BASE_URL and must be set when that is.');
  }
  return {
    host: env.HOST,
    port: env.PORT,
    /** Absolute. */
    dataDir: resolve(env.DATA_DIR),
    /** Unset: the embedded database. */
    mongodbUri: env.MONGODB_URI,
    /**
     * Data that the embedded database can lose in a power failure: the last tenth of a second (`normal`), or none
     * (`full`).
     */
    synchronous: env.SYNCHRONOUS,
    role: env.ROLE,
    /** The bucket of the documents' files, with its key or the machine's own role; unset: the database. */
    files: env.FILES_URL && { ...env.FILES_URL, key: filesKeyOf(env) },
    /** Organizations whose sources may read S3 with the machine's own role. */
    s3MachineRole: new Set(env.S3_MACHINE_ROLE),
    /** The directories that sources of each organization can take files from. */
    inletDirs: inletDirsOf(env.INLET_DIRS),
    /** The engine for pages without a text layer, and the folder of the PP-OCR models. */
    ocr: { engine: env.OCR_ENGINE, modelsFolder: resolve(env.OCR_MODELS ?? join(env.DATA_DIR, 'ocr-models')) },
    llm: {
      /** Unset: the demo model. */
      baseUrl: env.LLM_BASE_URL,
      apiKey: env.LLM_API_KEY,
      model: env.LLM_MODEL,
      fallbackModel: env.LLM_FALLBACK_MODEL,
      embeddingModel: env.LLM_EMBEDDING_MODEL,
      /** Whether the endpoint's models accept images; `auto` sends one and stops if it is refused. */
      vision: env.LLM_VISION,
      allowedHosts: env.LLM_ALLOWED_HOSTS,
    },
    /** The path of the price table of models; unset: the built-in prices. */
    modelPrices: env.MODEL_PRICES === undefined ? undefined : resolve(env.MODEL_PRICES),
    appSecret: env.APP_SECRET,
    allowSignup: env.ALLOW_SIGNUP,
    /** The address that users and programs use, without a slash at its end. Unset: as each request names it. */
    publicUrl: env.PUBLIC_URL,
    /** Addresses and networks whose X-Forwarded-* headers are trusted. */
    trustedProxies: env.TRUSTED_PROXIES,
    turnStore: env.TURN_STORE,
    /** How long a parked call of a run waits for a decision. */
    parkedTtlSeconds: env.PARKED_TTL_SECONDS,
    turnTtlSeconds: env.TURN_TTL_SECONDS ?? (env.TURN_STORE === 'memory' ? 300 : 86_400),
    agentMaxRounds: env.AGENT_MAX_ROUNDS,
    headlessTimeoutSeconds: env.HEADLESS_TIMEOUT_SECONDS,
    subagentTimeoutSeconds: env.SUBAGENT_TIMEOUT_SECONDS,
    conversationTtlSeconds: env.CONVERSATION_TTL_SECONDS,
    maxUploadBytes: env.MAX_UPLOAD_MB * 1024 * 1024,
    /** What one organization can store; unset: no limit. */
    maxStorageBytes: env.MAX_STORAGE_MB === undefined ? undefined : env.MAX_STORAGE_MB * 1024 * 1024,
    /** How many files of one mail or archive become documents. */
    maxAttachments: env.MAX_ATTACHMENTS,
    /** Maximum model requests per extraction, retries included. */
    maxExtractionRequests: env.MAX_EXTRACTION_REQUESTS,
    /** Model requests at once, of all processes together, of work that no person waits for. */
    maxUnattendedModelCalls: env.MAX_UNATTENDED_MODEL_CALLS,
    /** Where spans go; without it, nothing is traced. */
    tracesEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    logLevel: env.LOG_LEVEL,
  };
}

function filesKeyOf(env: { FILES_ACCESS_KEY_ID?: string | undefined; FILES_SECRET_ACCESS_KEY?: string | undefined }) {
  const { FILES_ACCESS_KEY_ID: accessKeyId, FILES_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey };
  if (accessKeyId === undefined && secretAccessKey === undefined) return undefined;
  throw new SettingsError('FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY belong together; set both or none.');
}

/** Whether only this machine can reach the host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function inletDirsOf(entries: readonly string[]): Map<string, string[]> {
  const pairs = entries.map((entry) => ({ organization: entry.slice(0, 24), directory: resolve(entry.slice(25)) }));
  const grouped = Map.groupBy(pairs, ({ organization }) => organization);
  return new Map([...grouped].map(([organization, own]) => [organization, own.map(({ directory }) => directory)]));
}
