import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { isLoopback, readSettings } from './settings.ts';

test('defaults to loopback, the embedded database and the demo model', () => {
  expect(readSettings({})).toEqual({
    host: '127.0.0.1',
    files: undefined,
    s3MachineRole: new Set(),
    inletDirs: new Map(),
    port: 3000,
    dataDir: resolve('.data'),
    mongodbUri: undefined,
    role: 'all',
    llm: {
      baseUrl: undefined,
      apiKey: undefined,
      model: undefined,
      fallbackModel: undefined,
      vision: 'false',
      embeddingModel: undefined,
      allowedHosts: [],
    },
    modelPrices: undefined,
    appSecret: undefined,
    allowSignup: false,
    trustedProxies: [],
    turnStore: 'mongo',
    turnTtlSeconds: 86_400,
    parkedTtlSeconds: 604_800,
    synchronous: 'normal',
    ocr: { engine: 'auto', modelsFolder: resolve('.data/ocr-models') },
    agentMaxRounds: 10,
    headlessTimeoutSeconds: 120,
    subagentTimeoutSeconds: 300,
    conversationTtlSeconds: 86_400,
    maxUploadBytes: 50 * 1024 * 1024,
    maxAttachments: 50,
    maxExtractionRequests: 200,
    maxUnattendedModelCalls: 32,
    logLevel: 'info',
  });
});

test('reads set variables; an empty one counts as unset', () => {
  const settings = readSettings({
    PORT: '0',
    ALLOW_SIGNUP: 'true',
    TURN_STORE: 'memory',
    LLM_ALLOWED_HOSTS: 'Ollama.lan , 10.0.0.7:8000,::1, [fd00::1]:80',
    MAX_UPLOAD_MB: '',
    TRUSTED_PROXIES: 'uniquelocal, 192.0.2.7,fd00::/8',
  });
  expect(settings.trustedProxies).toEqual(['uniquelocal', '192.0.2.7', 'fd00::/8']);
  expect(settings).toMatchObject({ port: 0, allowSignup: true, turnTtlSeconds: 300, maxUploadBytes: 52_428_800 });
  expect(settings.llm.allowedHosts).toEqual(['ollama.lan', '10.0.0.7:8000', '::1', '[fd00::1]:80']);
});

describe('a malformed setting', () => {
  test.each([
    ['PORT', 'http', 'a whole number from 0 to 65535'],
    ['PORT', '70000', 'a whole number from 0 to 65535'],
    ['PORT', '-1', 'a whole number from 0 to 65535'],
    ['HOST', 'http://x', 'an address or host name'],
    ['ROLE', 'boss', 'one of all, api, worker'],
    ['MONGODB_URI', 'localhost:27017', 'mongodb://'],
    ['LLM_BASE_URL', 'localhost:11434', 'http:// or https://'],
    ['LLM_ALLOWED_HOSTS', 'http://a', 'separated by commas'],
    ['LLM_ALLOWED_HOSTS', 'a,*.b', 'separated by commas'],
    ['LLM_ALLOWED_HOSTS', 'a:99999', 'separated by commas'],
    ['APP_SECRET', 'short', 'at least 16 characters'],
    ['ALLOW_SIGNUP', 'yes', 'one of false, true'],
    ['TRUSTED_PROXIES', 'true', 'addresses, networks'],
    ['TRUSTED_PROXIES', '10.0.0.0/99', 'addresses, networks'],
    ['TURN_STORE', 'redis', 'one of mongo, memory'],
    ['TURN_TTL_SECONDS', '1.5', 'a whole number from 1'],
    // A timer of more than 24 days ends at once.
    ['HEADLESS_TIMEOUT_SECONDS', '9999999', 'from 1 to 604800'],
    ['SUBAGENT_TIMEOUT_SECONDS', '9999999', 'from 1 to 604800'],
    ['AGENT_MAX_ROUNDS', '0', 'from 1 to 100'],
    ['MAX_UPLOAD_MB', '50MB', 'a whole number'],
    ['LOG_LEVEL', 'loud', 'one of fatal'],
  ])('%s=%s is rejected in one line that names the accepted values', (name, value, accepted) => {
    const read = () => readSettings({ [name]: value });
    expect(read).toThrow(new RegExp(`^${name} takes [^\\n]*${accepted}[^\\n]*$`));
  });

  test('a real MongoDB needs a secret of its own, a model endpoint needs a model', () => {
    expect(() => readSettings({ MONGODB_URI: 'mongodb://db' })).toThrow(/^APP_SECRET /);
    expect(() => readSettings({ LLM_BASE_URL: 'http://litellm:4000' })).toThrow(/^LLM_MODEL /);
  });
});

test.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['127.0.0.1.example.com', false],
  ['192.168.1.5', false],
])('%s is loopback: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docwright-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const fileWith = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  test('is read without the end of its line', () => {
    const { appSecret, mongodbUri, llm } = readSettings({
      APP_SECRET_FILE: fileWith('app', 'a secret of thirty-two characters\n'),
      MONGODB_URI_FILE: fileWith('uri', 'mongodb://user:word@db/docwright\n'),
      LLM_API_KEY_FILE: fileWith('key', 'sk-1\r\n'),
    });
    expect([appSecret, mongodbUri, llm.apiKey]).toEqual([
      'a secret of thirty-two characters',
      'mongodb://user:word@db/docwright',
      'sk-1',
    ]);
  });

  test('is refused with a reason that does not show it', () => {
    const both = { APP_SECRET: 'a secret in a variable', APP_SECRET_FILE: fileWith('app', 'a secret in a file') };
    expect(() => readSettings(both)).toThrow('APP_SECRET and APP_SECRET_FILE are both set; set one of them.');
    expect(() => readSettings({ APP_SECRET_FILE: join(folder, 'missing') })).toThrow(
      /^APP_SECRET_FILE takes the path/u,
    );
    expect(() => readSettings({ APP_SECRET_FILE: fileWith('empty', '\n') })).toThrow(/names an empty file/u);
    expect(() => readSettings({ APP_SECRET_FILE: fileWith('short', 'short') })).toThrow(
      /^APP_SECRET takes at least 16/u,
    );
  });
});
