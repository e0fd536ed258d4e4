import type { Me } from '@docwright/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
});
afterAll(async () => {
  await harness.stop();
});

test('the first person to register becomes admin of the first organization', async () => {
  const { body } = await harness.admin.get<Me>('/v0/me');
  expect(body.user).toMatchObject({ email: harness.admin.email, has_password: true });
  expect(body.organizations).toMatchObject([{ id: harness.admin.organizationId, role: 'admin' }]);
});
