import type { PluginInfo } from '@docwright/contract';
import { expect, it } from 'vitest';
import { startTestApp } from '../../testing/test-app.ts';

it('lists plugins to signed-in users only', async () => {
  const app = await startTestApp();
  try {
    const client = await app.addOrganization();
    const { body } = await client.get<{ plugins: PluginInfo[] }>('/api/v2/plugins?kind=chunker');
    expect(body.plugins.map(({ id }) => id)).toContain('heading');
    expect(body.plugins.every(({ kind, config_schema }) => kind === 'chunker' && 'properties' in config_schema)).toBe(
      true,
    );
    expect((await app.app.inject('/api/v2/plugins')).statusCode).toBe(401);
  } finally {
    await app.stop();
  }
});
