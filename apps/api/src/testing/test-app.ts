import { scriptedLlm, type ScriptedLlm, type ScriptedStep } from '@docwright/agent-core/testing';
import type { Organization, registerAnswer, Role, User } from '@docwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Connection } from 'mongoose';
import { pino } from 'pino';
import type { z } from 'zod';
import { buildApp } from '../app.ts';
import type { AppDependencies } from '../process/app-dependencies.ts';
import { migrate } from '../process/migrations/migrate.ts';
import { migrations } from '../process/migrations/migrations.ts';
import { createReadiness } from '../platform/http/readiness.ts';
import type { Services } from '../process/features.ts';
import { readSettings } from '../platform/settings/settings.ts';
import { organizationModel } from '../features/identity/organizations/organization-model.ts';
import { defaultStreamLimits } from '../features/stream-admission/stream-admission.ts';
import { createTestClient, type TestClient } from './test-client.ts';
import { connectTestDatabase } from './test-database.ts';
import { recordDatabaseUse, watchDatabaseUse } from './database-use/documented-use.ts';
import { requireRightStages } from './database-use/right-stages.ts';
import { requireDeclaredErrors } from './undeclared-errors.ts';

type Overrides = Partial<Omit<AppDependencies, 'settings'>> & { settings?: Record<string, string> };

export interface UnclaimedTestApp {
  app: FastifyInstance;
  services: Services;
  connection: Connection;
  /** The listening address, without a trailing slash. */
  address: string;
  stop(): Promise<void>;
}

export interface TestApp extends UnclaimedTestApp {
  /** The admin of the first organization, who has claimed it. */
  admin: TestClient;
  /** Adds a user with one membership, by default in the first organization. */
  addUser(role: Role, organizationId?: string): Promise<TestClient>;
  /** Adds a user with an organization of their own. */
  addOrganization(): Promise<TestClient>;
}

const unlimited = { user: 1_000_000, organization: 1_000_000 };

/** The application on its own database, before the first registration. */
export async function startUnclaimedTestApp(overrides: Overrides = {}): Promise<UnclaimedTestApp> {
  const { settings, connection = await connectTestDatabase(), ...dependencies } = overrides;
  // A benchmark measures the product without it.
  const stopWatching = process.env['VITEST'] === undefined ? () => undefined : watchDatabaseUse(connection);
  const { app, services } = await buildApp({
    settings: readSettings({ ALLOW_SIGNUP: 'true', ...settings }),
    appSecret: 'a secret for tests only',
    connection,
    llmEndpoint: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: undefined, model: 'no-model' },
    logger: pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' }),
    readiness: createReadiness([]),
    apiProcesses: () => 1,
    requestsPerMinute: 1_000_000,
    signInsPerMinute: 1_000_000,
    turnLimits: { turnsPerMinute: unlimited, runningTurns: unlimited },
    streamLimits: { ...defaultStreamLimits, streams: unlimited, downloads: unlimited },
    // Many tests ask about a document whose text nothing reads.
    readingWaitMs: 0,
    ...dependencies,
  });
  await app.ready();
  await migrate(connection, migrations);
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    app,
    services,
    connection,
    address,
    async stop() {
      await app.close();
      stopWatching();
      await requireRightStages(connection);
      // SQLite reads the list of all tables for each new one; with the tables of a hundred test files, starting takes
      // ten times longer.
      await connection.dropDatabase();
      await connection.close();
      requireDeclaredErrors();
      recordDatabaseUse();
    },
  };
}

/** The application with a signed-in admin. Start it once per file and stop it afterwards. */
export async function startTestApp(overrides: Overrides = {}): Promise<TestApp> {
  const unclaimed = await startUnclaimedTestApp(overrides);
  const { app, services } = unclaimed;
  let userCount = 0;
  const nextEmail = () => `person-${++userCount}@example.com`;

  async function register(email: string, invitationToken?: string) {
    const { user, organization, access_token } = await registerUser(app, email, invitationToken);
    // Tests upload the same few words many times and expect each to be read.
    await organizationModel(unclaimed.connection).updateOne({ _id: organization.id }, { on_duplicate: 'keep' });
    return { user, organization, accessToken: access_token };
  }

  async function adminOf(organizationId: string): Promise<string> {
    const organization = await organizationModel(unclaimed.connection).findById(organizationId).lean();
    const found = organization?.members.find(({ role }) => role === 'admin');
    if (found === undefined) throw new Error(`The organization ${organizationId} has no admin.`);
    return found.user_id.toHexString();
  }

  const admin = createTestClient(app, { ...(await register(nextEmail())), role: 'admin' });
  return {
    ...unclaimed,
    admin,
    async addUser(role, organizationId = admin.organizationId) {
      const email = nextEmail();
      const inviter = { ...admin.actor, organizationId, userId: await adminOf(organizationId) };
      const added = await services.identity.members.add(inviter, email, role);
      if (!('invitation' in added)) throw new Error(`${email} already has an account.`);
      return createTestClient(app, { ...(await register(email, added.invitation.token)), role });
    },
    async addOrganization() {
      return createTestClient(app, { ...(await register(nextEmail())), role: 'admin' });
    },
  };
}

/** The application with a model that follows a script. */
export interface ScriptedTestApp extends TestApp {
  /** Sets the model's next steps. */
  script(...steps: ScriptedStep[]): ScriptedLlm;
}

export async function startScriptedTestApp(overrides: Omit<Overrides, 'llm'> = {}): Promise<ScriptedTestApp> {
  let model = scriptedLlm([]);
  const app = await startTestApp({ ...overrides, llm: { stream: (request) => model.stream(request) } });
  return {
    ...app,
    script(...steps) {
      model = scriptedLlm(steps);
      return model;
    },
  };
}

/** Registers over HTTP, as the web app does. */
export async function registerUser(
  app: FastifyInstance,
  email: string,
  invitationToken?: string,
): Promise<z.infer<typeof registerAnswer> & { user: User; organization: Organization }> {
  const response = await app.inject({
    method: 'POST',
    url: '/v0/auth/register',
    payload: { email, name: `Name of ${email}`, password: testPassword, invitation_token: invitationToken },
  });
  if (response.statusCode !== 201) throw new Error(`The registration failed: ${response.body}`);
  return response.json();
}

export const testPassword = 'correct horse battery';
