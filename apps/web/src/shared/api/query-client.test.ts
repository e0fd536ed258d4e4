import { onlineManager } from '@tanstack/react-query';
import { afterEach, expect, it } from 'vitest';
import { createQueryClient } from './query-client.ts';

afterEach(() => onlineManager.setOnline(true));

it('sends requests even when the device reports offline, because the server may run on the same machine', async () => {
  onlineManager.setOnline(false);
  const client = createQueryClient();
  expect(await client.fetchQuery({ queryKey: ['local'], queryFn: async () => 'answered' })).toBe('answered');
  const saving = client.getMutationCache().build(client, {
    mutationFn: async () => {
      throw new Error('The server did not answer.');
    },
  });
  await expect(saving.execute(undefined)).rejects.toThrow('did not answer');
});
