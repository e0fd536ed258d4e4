import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Organization, registerAnswer, Role } from '@docwright/contract';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import type { FastifyInstance } from 'fastify';
import type { Connection } from 'mongoose';
import { pino } from 'pino';
import type { z } from 'zod';
import { buildApp, type AppDependencies } from '../app.ts';
import { connectDatabase } from '../db/connection.ts';
import { migrate } from '../db/migrate.ts';
import { migrations } from '../db/migrations.ts';
import { createReadiness } from '../db/readiness.ts';
import type { Services } from '../services.ts';
import { readSettings } from '../settings/settings.ts';
import { createTestClient, type TestClient } from './test-client.ts';

type RegisterAnswer = z.infer<typeof registerAnswer>;

export interface TestDatabase {
  uri: string;
  stop(): Promise<void>;
}

/** An empty database of its own: the embedded one, or a new name on the server at TEST_MONGODB_URI. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const server = process.env['TEST_MONGODB_URI'];
  if (server !== undefined) {
    const uri = new URL(server);
    uri.pathname = `test_${randomUUID().replaceAll('-', '')}`;
    return { uri: uri.href, stop: async () => undefined };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'docwright-test-'));
  const database = await startEmbeddedMongo({ dataDir });
  return {
    uri: database.uri,
    async stop() {
      await database.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface TestApp {
  app: FastifyInstance;
  services: Services;
  connection: Connection;
  /** The first organization's admin, who has claimed it. */
  admin: TestClient;
  /** Somebody new in an organization (the first one when none is named). */
  addPerson(role: Role, organizationId?: string): Promise<TestClient>;
  /** Somebody new with an organization of their own. */
  addOrganization(): Promise<TestClient>;
  /** Listens on a free port, for streams that `inject` cannot follow. */
  listen(): Promise<string>;
  stop(): Promise<void>;
}

/** The whole application on a database of its own. Start it once a file and stop it after. */
export async function startTestApp(
  overrides: Partial<Omit<AppDependencies, 'settings' | 'connection'>> & { settings?: Record<string, string> } = {},
): Promise<TestApp> {
  const { settings, ...dependencies } = overrides;
  const database = await startTestDatabase();
  const connection = await connectDatabase(database.uri);
  const { app, services } = await buildApp({
    settings: readSettings({ ALLOW_SIGNUP: 'true', ...settings }),
    appSecret: 'a secret for tests only',
    connection,
    llmEndpoint: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: undefined, model: 'no-model' },
    logger: pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' }),
    readiness: createReadiness([]),
    requestsPerMinute: 1_000_000,
    signInsPerMinute: 1_000_000,
    ...dependencies,
  });
  await app.ready();
  await migrate(connection, migrations);

  let people = 0;
  async function register(invitationToken?: string): Promise<{ client: TestClient; organization: Organization }> {
    people += 1;
    const body = {
      email: `person-${people}@example.com`,
      name: `Person ${people}`,
      password: 'correct horse battery',
      ...(invitationToken === undefined ? {} : { invitation_token: invitationToken }),
    };
    const response = await app.inject({ method: 'POST', url: '/v0/auth/register', payload: body });
    if (response.statusCode !== 201) throw new Error(`registering failed: ${response.body}`);
    const { user, organization, access_token } = response.json<RegisterAnswer>();
    return { organization, client: createTestClient(app, { user, organization, accessToken: access_token }) };
  }

  const { client: admin } = await register();
  return {
    app,
    services,
    connection,
    admin,
    async addPerson(role, organizationId = admin.organizationId) {
      const { client } = await register();
      const inviter = { ...admin.actor, organizationId };
      await services.identity.members.add(inviter, client.email, role);
      return client.in(organizationId, role);
    },
    async addOrganization() {
      return (await register()).client;
    },
    async listen() {
      return await app.listen({ port: 0, host: '127.0.0.1' });
    },
    async stop() {
      await app.close();
      await connection.close();
      await database.stop();
    },
  };
}
