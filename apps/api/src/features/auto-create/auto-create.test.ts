import type { Approval, ApprovalList, Document, DocumentState } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../testing/test-client.ts';
import { proposing, startAutoCreateTestBench, type AutoCreateTestBench } from '../../testing/auto-create-test-bench.ts';

let bench: AutoCreateTestBench;
beforeAll(async () => {
  bench = await startAutoCreateTestBench();
});
afterAll(() => bench.stop());

describe('a document uploaded with auto_create', () => {
  it('gets a schema, a prompt and an extraction for review, with the log of the run', async () => {
    const client = await bench.addOrganization();
    const model = bench.script(...proposing);
    const uploaded = await bench.upload(client, { autoCreate: true });
    expect(uploaded).not.toHaveProperty('auto_create');
    const document = await bench.waitForEnd(client, uploaded.id);
    model.assertFinished();

    const { schemas, prompts } = await bench.records(client);
    expect(schemas).toMatchObject([{ name: 'Invoice' }]);
    expect(prompts).toMatchObject([{ name: 'Invoice', auto_created: true, review: 'pending' }]);
    const [extraction] = await bench.extractions(client, document.id);
    expect(extraction).toMatchObject({ result: { total: 5 }, prompt_revid: prompts[0]!.prompt_revid });
    expect(document).toMatchObject({
      state: 'llm_completed',
      auto_create: {
        status: 'proposed',
        schema_revid: schemas[0]!.schema_revid,
        prompt_revid: prompts[0]!.prompt_revid,
        done_at: expect.any(String),
      },
    });
    const log = document.auto_create?.agent_log ?? [];
    expect(log.flatMap((round) => round.tool_calls).map(({ name, success }) => [name, success])).toEqual([
      ['create_schema', true],
      ['create_prompt', true],
      ['run_extraction', true],
    ]);
    expect(log.at(-1)).toMatchObject({ round_index: 3, text: 'I made the schema Invoice.', tool_calls: [] });

    const list = await client.get<{ documents: Document[] }>('./documents');
    expect(list.body.documents[0]?.auto_create).not.toHaveProperty('agent_log');
    const { body: audit } = await client.get<{ entries: { tool: string }[] }>(
      `./audit?document_id=${document.id}&limit=100`,
    );
    const unattended = audit.entries.filter((entry) => entry.tool !== 'upload_document');
    expect(unattended).toHaveLength(9);
    for (const entry of unattended) expect(entry).toMatchObject({ headless: true, actor: client.userId });
    const { body: usage } = await client.get<{ spu_used: number }>('./usage');
    expect(usage.spu_used).toBe(5);
  });

  it('gets no run without the flag, and follows the organization’s default', async () => {
    const client = await bench.addOrganization();
    bench.script();
    const plain = await bench.waitForEnd(client, (await bench.upload(client)).id);
    expect(plain).toMatchObject({ state: 'ocr_completed' });
    expect(plain).not.toHaveProperty('auto_create');

    await client.patch(`/v0/orgs/${client.organizationId}`, { auto_create_default: true });
    const refused = await bench.upload(client, { autoCreate: false });
    expect(await bench.waitForEnd(client, refused.id)).not.toHaveProperty('auto_create');
    bench.script(...proposing);
    const uploaded = await bench.upload(client);
    await expect
      .poll(async () => (await bench.waitForEnd(client, uploaded.id)).auto_create?.status, { timeout: 10_000 })
      .toBe('proposed');
  });

  it('gets no run if its text could not be read', async () => {
    const client = await bench.addOrganization();
    const model = bench.script();
    const broken = '%PDF-1.4\nnothing that could be read';
    const uploaded = await bench.upload(client, { text: broken, autoCreate: true });
    await expect
      .poll(async () => (await client.get<Document>(`./documents/${uploaded.id}`)).body.state, { timeout: 10_000 })
      .toBe('ocr_failed');
    const { error, status } = await client.post(`./documents/${uploaded.id}/auto_create`);
    expect([status, error?.code]).toEqual([409, 'document_has_no_text']);
    expect(model.requests).toHaveLength(0);
  });
});

describe('a run', () => {
  it('shows the document as being processed until it has ended', async () => {
    const client = await bench.addOrganization();
    const uploaded = await bench.upload(client);
    await bench.waitForEnd(client, uploaded.id);
    const states: [DocumentState, string | undefined][] = [];
    const readState = async () => {
      const { body } = await client.get<Document>(`./documents/${uploaded.id}`);
      states.push([body.state, body.auto_create?.status]);
    };
    bench.script(...proposing);
    const { status, body } = await client.post<Document>(`./documents/${uploaded.id}/auto_create`);
    expect([status, body.auto_create?.status]).toEqual([202, 'running']);
    const again = await client.post(`./documents/${uploaded.id}/auto_create`);
    expect([again.status, again.error?.code]).toEqual([409, 'auto_create_running']);
    while (states.at(-1)?.[1] !== 'proposed') await readState();
    expect(states).not.toContainEqual(['llm_completed', 'running']);
    expect(states.at(-1)).toEqual(['llm_completed', 'proposed']);
  });
});

describe('a call that needs approval', { timeout: 90_000 }, () => {
  const rule = { tool: 'create_schema', effect: 'ask', scope: 'organization' };
  const waiting = async (client: TestClient, id: string) => {
    await expect
      .poll(async () => (await client.get<Document>(`./documents/${id}`)).body.auto_create, { timeout: 60_000 })
      .toMatchObject({ status: 'running', waiting: true });
    return (await client.get<ApprovalList>('./approvals')).body.approvals;
  };
  const approve = (client: TestClient, calls: Approval[]) => {
    const decisions = calls.map(({ turn_id, call_id }) => ({ turn_id, call_id, approved: true }));
    return client.post('./approvals/decide', { decisions });
  };
  const addClient = async () => {
    const client = await bench.addOrganization();
    expect((await client.post('./permission_rules', rule)).status).toBe(201);
    return client;
  };

  it('waits in the inbox with on_ask, and the run resumes once it is approved', async () => {
    const client = await addClient();
    bench.script(...proposing);
    const { id } = await bench.upload(client, { autoCreate: true, onAsk: 'park' });
    const calls = await waiting(client, id);
    expect(calls).toMatchObject([{ tool: 'create_schema', document_id: id, requested_by: client.userId }]);
    await approve(client, calls);
    expect((await bench.waitForEnd(client, id)).auto_create).toMatchObject({ status: 'proposed' });
    expect((await bench.waitForEnd(client, id)).auto_create).not.toHaveProperty('waiting');
  });

  it('is denied without on_ask, unless the organization parks such calls by default', async () => {
    const client = await addClient();
    bench.script(proposing[0]!, { text: 'I may not.' });
    const denied = await bench.waitForEnd(client, (await bench.upload(client, { autoCreate: true })).id);
    expect(denied.auto_create?.status).toBe('failed');
    expect((await client.get<ApprovalList>('./approvals')).body.total_count).toBe(0);

    const path = `/v0/orgs/${client.organizationId}`;
    expect((await client.patch(path, { auto_create_on_ask: 'maybe' })).status).toBe(422);
    const set = await client.patch(path, { auto_create_on_ask: 'park' });
    expect(set.body).toMatchObject({ auto_create_on_ask: 'park' });
    bench.script(...proposing);
    expect((await client.post(`./documents/${denied.id}/auto_create`, {})).status).toBe(202);
    const calls = await waiting(client, denied.id);
    await approve(client, calls);
    expect((await bench.waitForEnd(client, denied.id)).auto_create).toMatchObject({ status: 'proposed' });
  });

  it('follows the upload rather than the setting of the organization', async () => {
    const client = await addClient();
    await client.patch(`/v0/orgs/${client.organizationId}`, { auto_create_on_ask: 'park' });
    bench.script(proposing[0]!, { text: 'I may not.' });
    const refusing = await bench.upload(client, { autoCreate: true, onAsk: 'deny' });
    expect((await bench.waitForEnd(client, refusing.id)).auto_create?.status).toBe('failed');
    bench.script(...proposing);
    const byDefault = await bench.upload(client, { autoCreate: true });
    expect(await waiting(client, byDefault.id)).toHaveLength(1);
  });

  it('can be asked to wait by hand, and in a form', async () => {
    const client = await addClient();
    const { id } = await bench.waitForEnd(client, (await bench.upload(client)).id);
    bench.script(...proposing);
    expect((await client.post(`./documents/${id}/auto_create`, { on_ask: 'park' })).status).toBe(202);
    expect(await waiting(client, id)).toHaveLength(1);

    const form = new FormData();
    form.append('files', new Blob(['Total: 5']), 'a.txt');
    form.append('auto_create', 'true');
    form.append('on_ask', 'perhaps');
    const refused = await fetch(`${bench.address}/v0/orgs/${client.organizationId}/documents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.accessToken}` },
      body: form,
    });
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('deny or park')]);
  });
});
