import type { AuditEntry } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMcpTestBench, type McpTestBench, type Revision } from '../../testing/mcp-test-bench.ts';

let bench: McpTestBench;
beforeAll(async () => {
  bench = await startMcpTestBench();
});
afterAll(async () => bench.stop());

const revisions: Revision[] = ['earlier', '2026-07-28'];

describe.each(revisions)('resources (%s)', (revision) => {
  it('are the documents; their text is read by the tool, with an entry in the audit log', async () => {
    const user = await bench.addOrganization();
    const { id } = await bench.documentOf(user);
    const { client } = await bench.connect(user, { revision });
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([{ uri: `docwright://documents/${id}`, name: 'note.txt', mimeType: 'text/plain' }]);
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
    await expect
      .poll(async () => read(`docwright://documents/${id}`).catch(() => undefined))
      .toMatchObject({ text: 'Invoice INV-1042\nTotal: 5' });
    expect(await read(`docwright://documents/${id}/pages/1`)).toMatchObject({ text: expect.stringContaining('Total') });
    await expect(read(`docwright://documents/${id}/pages/2`)).rejects.toThrow('page 2');
    const { entries } = (await user.get<{ entries: AuditEntry[] }>('./audit')).body;
    expect(entries.map(({ tool }) => tool)).toContain('get_ocr_text');
  });

  it('are listed by cursor to the end', async () => {
    const user = await bench.addOrganization();
    const documents = Array.from({ length: 60 }, (_, at) => ({ name: `n${at}.txt`, content: btoa(`Note ${at}`) }));
    await user.post('./documents', { documents });
    const { client } = await bench.connect(user, { revision });
    // The client reads all pages.
    const { resources } = await client.listResources();
    expect(new Set(resources.map(({ uri }) => uri)).size).toBe(60);
    await expect(client.listResources({ cursor: '50' })).rejects.toThrow('cursor');
  });

  it('are invisible to other organizations, and follow the rules', async () => {
    const { id } = await bench.documentOf(bench.admin);
    const user = await bench.addOrganization();
    const { client } = await bench.connect(user, { revision });
    expect((await client.listResources()).resources).toEqual([]);
    for (const uri of [`docwright://documents/${id}`, 'docwright://documents/x', 'file:///etc/passwd']) {
      await expect(client.readResource({ uri })).rejects.toThrow();
    }
    await user.post('./permission_rules', { tool: 'list_documents', effect: 'deny', scope: 'organization' });
    await expect(client.listResources()).rejects.toThrow('denies');
  });
});

it.each(revisions)('prompts are offered with their arguments (%s)', async (revision) => {
  const { client } = await bench.connect(bench.admin, { revision });
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['set_up_document', 'find_in_documents', 'review_waiting']);
  const got = await client.getPrompt({ name: 'find_in_documents', arguments: { question: 'Who pays?' } });
  expect(got.messages[0]?.content).toMatchObject({ type: 'text', text: expect.stringContaining('Who pays?') });
  await expect(client.getPrompt({ name: 'find_in_documents' })).rejects.toThrow('needs question');
  await expect(client.getPrompt({ name: 'unknown' })).rejects.toThrow('no prompt');
});
