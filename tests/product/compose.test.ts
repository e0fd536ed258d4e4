import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Service {
  image: string;
  build?: unknown;
  entrypoint?: string[];
  command?: string[];
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
  secrets?: string[];
  networks?: string[];
  network_mode?: string;
  volumes?: string[];
  deploy: { resources: { limits: { memory: string } } };
}

const infra = path.resolve(import.meta.dirname, '../../infra');
const read = (file: string) => fs.readFileSync(path.join(infra, file), 'utf8');
const file = read('compose.yaml');
const compose = parse(file, { merge: true }) as {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
};
const services = Object.entries(compose.services).map(([name, service]) => ({ name, service }));
const dockerfile = read('Dockerfile');
const guide = read('../docs/operators/running.md');

it('has each service of the larger installation', () => {
  expect(services.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['proxy', 'api', 'worker', 'mongo-1', 'replica-set', 'litellm', 'prometheus', 'grafana']),
  );
});

it.each(services)('$name has a limit of its memory and an image that cannot change', ({ service }) => {
  expect(service.deploy.resources.limits.memory).toMatch(/^\d+[gm]$/u);
  // Our own image is built here, from a base that cannot change.
  if (service.build !== undefined) expect(dockerfile).toMatch(/^FROM node:[\w.-]+@sha256:[\da-f]{64} AS base$/mu);
  else expect(service.image).toMatch(/:v?\d+\.\d+\.\d+[\w.-]*@sha256:[\da-f]{64}$/u);
});

it.each(services.filter(({ name }) => name !== 'replica-set'))('$name is checked while it runs', ({ service }) => {
  if (service.build === undefined) expect(service.healthcheck?.test.length).toBeGreaterThan(1);
  else expect(dockerfile).toMatch(/^HEALTHCHECK /mu);
});

describe('secrets', () => {
  const declared = Object.keys(compose.secrets);

  it('are files, each mounted where it is read and nowhere else', () => {
    const mounted = services.flatMap(({ service }) => service.secrets ?? []);
    expect(new Set(mounted)).toEqual(new Set(declared));
    for (const { name, service } of services) {
      const script = (service.command ?? []).find((part) => part.endsWith('.js'));
      const text = JSON.stringify(service) + (script === undefined ? '' : read(`container${script}`));
      const named = [...text.matchAll(/\/run\/secrets\/([\w-]+)|secret\('([\w-]+)'\)/gu)].map(([, at, by]) => at ?? by);
      expect([name, new Set(service.secrets)]).toEqual([name, new Set(named)]);
    }
  });

  it('are in no environment, in no image and not in the repository', () => {
    for (const { service } of services) {
      for (const [variable, value] of Object.entries(service.environment ?? {})) {
        if (/KEY|SECRET|PASSWORD|TOKEN|URI/u.test(variable))
          expect([variable, value]).toEqual([
            expect.stringMatching(/FILE$/u),
            expect.stringMatching(/^\/run\/secrets\//u),
          ]);
      }
    }
    expect(fs.readFileSync(path.join(infra, '../.gitignore'), 'utf8')).toMatch(/^infra\/secrets\/$/mu);
    expect(dockerfile).not.toMatch(/^COPY (?:\. |infra )/mu);
  });

  it('are made by the commands of the guide', () => {
    expect(declared.filter((name) => !guide.includes(`> secrets/${name}`))).toEqual([]);
    for (const { file: at } of Object.values(compose.secrets)) expect(at).toMatch(/^\.\/secrets\/[\w-]+$/u);
  });
});

it('asks for a password of the database, which only its users and its members have', () => {
  const members = services.filter(({ name }) => /^mongo-\d$/u.test(name));
  expect(members).toHaveLength(3);
  for (const { service } of members) {
    const { command = [] } = service;
    const key = command[command.indexOf('--keyFile') + 1];
    // A key file turns on the check of users; MongoDB refuses one that others can read.
    expect(service.entrypoint?.join(' ')).toContain(`install -o mongodb -m 400 /run/secrets/mongodb-key ${key} &&`);
    expect(service.networks).toEqual(['data']);
  }
  expect(compose.services['replica-set']?.network_mode).toBe('service:mongo-1');
  expect(compose.services['api']?.environment?.['MONGODB_URI_FILE']).toBe('/run/secrets/mongodb-uri');
});

describe('the script that makes the replica set', () => {
  const password = 'a1b2';
  const secrets: Record<string, string> = {
    'mongodb-uri': `mongodb://docwright:${password}@mongo-1,mongo-2,mongo-3/docwright?replicaSet=docwright\n`,
    'mongodb-root-password': 'r00t\n',
  };

  /** Runs it against a database in this state; returns what it did. */
  function run({ isSet = false, users = [] as string[], isPrimary = true, uri = secrets['mongodb-uri']! } = {}) {
    const done: unknown[] = [];
    const known = new Set(users);
    let isInitiated = isSet;
    const admin = {
      auth(user: string, pwd: string) {
        if (!known.has(user) || pwd !== 'r00t') throw new Error('Authentication failed.');
        return { ok: 1 };
      },
      createUser({ user, roles }: { user: string; roles: unknown }) {
        known.add(user);
        done.push(['admin', user, roles]);
      },
    };
    const docwright = {
      getUser: (user: string) => (known.has(user) ? { user } : null),
      createUser: (user: object) => done.push(['docwright', user]),
      updateUser: (name: string, user: object) => done.push(['update', name, user]),
    };
    vm.runInNewContext(read('container/start-replica-set.js'), {
      require: () => ({
        readFileSync: (at: string) => (at.endsWith('mongodb-uri') ? uri : secrets[path.basename(at)]),
      }),
      db: {
        hello: () =>
          isInitiated ? { setName: 'docwright', isWritablePrimary: isPrimary, primary: 'mongo-2:27017' } : {},
        getSiblingDB: () => admin,
      },
      rs: {
        initiate(config: { members: { host: string }[] }) {
          isInitiated = true;
          done.push(config.members.map(({ host }) => host));
        },
      },
      sleep: () => undefined,
      connect: (address: string) => {
        done.push(address);
        return docwright;
      },
      encodeURIComponent,
    });
    return done;
  }
  const signedIn = expect.stringMatching(
    /^mongodb:\/\/root:r00t@mongo-1,mongo-2,mongo-3\/docwright\?replicaSet=docwright/u,
  );
  const roles = [{ role: 'dbOwner', db: 'docwright' }];

  it('makes members and users at the first start', () => {
    expect(run()).toEqual([
      ['mongo-1:27017', 'mongo-2:27017', 'mongo-3:27017'],
      ['admin', 'root', ['root']],
      signedIn,
      ['docwright', { user: 'docwright', pwd: password, roles }],
    ]);
  });

  it('changes no members later, and gives the user the password of the file', () => {
    const users = ['root', 'docwright'];
    expect(run({ isSet: true, users, isPrimary: false })).toEqual([
      signedIn,
      ['update', 'docwright', { pwd: password, roles }],
    ]);
  });

  it('says what is wrong instead of waiting', () => {
    expect(() => run({ isSet: true, isPrimary: false })).toThrow(/mongo-1 is the primary/u);
    expect(() => run({ uri: 'mongodb://mongo-1/docwright' })).toThrow(/secrets\/mongodb-uri starts with/u);
  });
});
