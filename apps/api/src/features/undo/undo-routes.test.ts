import type { LlmRequest } from '@docwright/agent-core';
import type { AuditEntry, Document, Extraction, Prompt, Schema, Tag, TurnAnswer } from '@docwright/contract';
import type { ScriptedStep } from '@docwright/agent-core/testing';
import { mongo } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideAll, userMessage } from '../../testing/chat-test-bench.ts';
import { format, uniqueName, startUndoTestBench, type UndoTestBench } from '../../testing/undo-test-bench.ts';

let bench: UndoTestBench;
beforeAll(async () => {
  bench = await startUndoTestBench();
});
afterAll(async () => bench.stop());

describe('undo', () => {
  it('removes created records, newest first, and repeats the answer of a repeated request', async () => {
    const { chat } = await bench.documentOf(bench.admin);
    const [schema, prompt, tag] = [uniqueName('schema'), uniqueName('prompt'), uniqueName('tag')];
    const turn = await bench.turnOf(
      chat,
      { calls: [{ name: 'create_tag', args: { name: tag } }] },
      { calls: [{ name: 'create_schema', args: { name: schema, response_format: format('total') } }] },
      { calls: [{ name: 'create_prompt', args: { name: prompt, content: 'Total?' } }] },
    );
    expect(turn.working_state.schema_revid).not.toBeNull();
    const { status, body } = await bench.undo(chat, turn);
    expect(status).toBe(200);
    expect(body.undone.map(({ tool }) => tool)).toEqual(['create_prompt', 'create_schema', 'create_tag']);
    expect(body.working_state).toEqual({ schema_revid: null, prompt_revid: null, extraction: null });
    expect(await bench.current('schemas', schema)).toEqual([]);
    expect(await bench.current('prompts', prompt)).toEqual([]);
    expect(await bench.current('tags', tag)).toEqual([]);
    expect((await bench.newTag(tag)).name).toBe(tag);
    expect((await bench.undo(chat, turn)).body).toEqual(body);
    expect(await bench.current('tags', tag)).toHaveLength(1);
    const { body: audit } = await bench.admin.get<{ entries: AuditEntry[] }>(`./audit?turn_id=${turn.turn_id}`);
    expect(audit.entries.filter(({ kind }) => kind === 'undone')).toHaveLength(3);
  });

  it('undoes records that use each other', async () => {
    const { id, chat } = await bench.readDocument();
    const [schema, prompt, tag] = [uniqueName('schema'), uniqueName('prompt'), uniqueName('tag')];
    const results = ({ messages }: LlmRequest) =>
      Object.assign({}, ...messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.parse(content)));
    const turn = await bench.turnOf(
      chat,
      { calls: [{ name: 'create_tag', args: { name: tag } }] },
      { calls: [{ name: 'create_schema', args: { name: schema, response_format: format('total') } }] },
      (request) => {
        const { schema_id, tag_id } = results(request);
        const args = { name: prompt, content: 'Total?', schema_id, tag_ids: [tag_id] };
        return { calls: [{ name: 'create_prompt', args }] };
      },
      (request) => ({ calls: [{ name: 'update_document', args: { add_tag_ids: [results(request).tag_id] } }] }),
      { calls: [{ name: 'run_extraction' }] },
      { text: '{"total":"5"}' },
    );
    const { status, body } = await bench.undo(chat, turn);
    expect([status, body.undone.length]).toEqual([200, 5]);
    expect(body.working_state).toEqual({ schema_revid: null, prompt_revid: null, extraction: null });
    const { body: document } = await bench.admin.get<Document>(`./documents/${id}`);
    expect(document).toMatchObject({ tag_ids: [], state: 'ocr_completed' });
    const left = [await bench.current('schemas', schema), await bench.current('prompts', prompt)];
    expect([...left, await bench.current('tags', tag)]).toEqual([[], [], []]);
  });

  it('undoes changes: of revisioned records by a new revision, of others in place', async () => {
    const { id, chat } = await bench.documentOf(bench.admin);
    const [schema, tag] = [await bench.newSchema(), await bench.newTag()];
    const prompt = await bench.newPrompt({ tag_ids: [tag.tag_id] });
    await bench.admin.request('PATCH', `./documents/${id}`, { payload: { metadata: { a: 'b' } } });
    const turn = await bench.turnOf(
      chat,
      { calls: [{ name: 'update_schema', args: { schema_id: schema.schema_id, name: 'Renamed' } }] },
      { calls: [{ name: 'update_schema', args: { schema_id: schema.schema_id, response_format: format('a', 'b') } }] },
      {
        calls: [
          {
            name: 'update_prompt',
            args: { prompt_id: prompt.prompt_id, content: 'Else?', remove_tag_ids: [tag.tag_id] },
          },
        ],
      },
      { calls: [{ name: 'update_tag', args: { tag_id: tag.tag_id, name: 'other', color: '#000000' } }] },
      {
        calls: [
          {
            name: 'update_document',
            args: { document_name: 'new.txt', remove_metadata: ['a'], add_tag_ids: [tag.tag_id] },
          },
        ],
      },
    );
    const { body } = await bench.undo(chat, turn);
    expect(body.undone).toHaveLength(5);
    const [schemaNow] = await bench.current<Schema>('schemas', schema.name);
    expect(schemaNow).toMatchObject({ name: schema.name, schema_version: 3, response_format: schema.response_format });
    expect(body.working_state.schema_revid).toBe(schemaNow!.schema_revid);
    expect((await bench.current<Prompt>('prompts', prompt.name))[0]).toMatchObject({
      prompt_version: 3,
      content: 'Total?',
      tag_ids: [tag.tag_id],
    });
    expect((await bench.admin.get<Tag>(`./tags/${tag.tag_id}`)).body).toEqual(tag);
    expect((await bench.admin.get<Document>(`./documents/${id}`)).body).toMatchObject({
      document_name: 'note.txt',
      metadata: { a: 'b' },
      tag_ids: [],
    });
  });

  it('restores deleted records under their ids, also the turn’s own document with its file', async () => {
    const { id, chat } = await bench.readDocument();
    const [schema, tag] = [await bench.newSchema(), await bench.newTag()];
    const prompt = await bench.newPrompt({ schema_id: schema.schema_id });
    const turn = await bench.turnOf(
      chat,
      { calls: [{ name: 'delete_prompt', args: { prompt_id: prompt.prompt_id } }] },
      { calls: [{ name: 'delete_schema', args: { schema_id: schema.schema_id } }] },
      { calls: [{ name: 'delete_tag', args: { tag_id: tag.tag_id } }] },
      { calls: [{ name: 'delete_document', args: {} }] },
    );
    for (const path of ['', '/file', '/text', '/words?page_num=1', '/extractions', '/chat/threads']) {
      expect([path, await bench.statusOf(`./documents/${id}${path}`)]).toEqual([path, 404]);
    }
    const { body: listed } = await bench.admin.get<{ documents: Document[] }>('./documents?limit=100');
    expect(listed.documents.map((document) => document.id)).not.toContain(id);
    expect(await bench.current('schemas', schema.name)).toEqual([]);

    expect((await bench.undo(chat, turn)).body.undone.map(({ tool }) => tool)).toEqual([
      'delete_document',
      'delete_tag',
      'delete_schema',
      'delete_prompt',
    ]);
    expect(await bench.statusOf(`./documents/${id}/file`)).toBe(200);
    expect(await bench.statusOf(`./documents/${id}/words?page_num=1`)).toBe(200);
    expect((await bench.admin.get<Tag>(`./tags/${tag.tag_id}`)).body).toEqual(tag);
    expect(await bench.current('schemas', schema.name)).toEqual([schema]);
    expect(await bench.current('prompts', prompt.name)).toEqual([prompt]);
  });

  it('restores the previous extraction with its edits and verification, or none', async () => {
    const { id, chat } = await bench.readDocument();
    const { prompt_revid } = await bench.newPrompt();
    const run = (total: string): ScriptedStep => ({ text: JSON.stringify({ total }) });
    const call = { calls: [{ name: 'run_extraction', args: { prompt_revid } }] };
    const first = await bench.turnOf(chat, call, run('1'));
    const path = `./documents/${id}/extractions/${prompt_revid}`;
    await bench.admin.request('PUT', `${path}/verification`, { payload: { is_verified: true } });
    const former = (await bench.admin.get<Extraction>(path)).body;
    const correct = { calls: [{ name: 'update_extraction_field', args: { path: 'total', value: '3' } }] };
    const rule = { tool: 'run_extraction', effect: 'allow', when: { path: 'replace', equals: 'verified' } };
    await bench.admin.post('./permission_rules', { ...rule, scope: 'document', document_id: id });
    const again = { calls: [{ name: 'run_extraction', args: { prompt_revid, replace: 'verified' } }] };
    const second = await bench.turnOf(chat, again, run('2'), correct);
    expect((await bench.admin.get<Extraction>(path)).body).toMatchObject({
      result: { total: '3' },
      is_verified: false,
    });

    expect((await bench.undo(chat, first)).status).toBe(409);
    const { body } = await bench.undo(chat, second);
    expect(body.undone).toHaveLength(2);
    expect(body.working_state.extraction).toMatchObject({ result: { total: '1' } });
    const release = { state: 'open', version: 4, withdrawn: { version: 1, because: 're_extracted' } };
    expect((await bench.admin.get<Extraction>(path)).body).toMatchObject({ ...former, version: 4, release });

    await bench.admin.request('PUT', `${path}/verification`, { payload: { is_verified: false } });
    const { status, error } = await bench.undo(chat, first);
    expect([status, error?.code, error?.message]).toEqual([
      409,
      'changed_since',
      expect.stringContaining('extraction'),
    ]);
  });

  it('resets a document to its state before its first extraction', async () => {
    const { id, chat } = await bench.readDocument();
    const { prompt_revid } = await bench.newPrompt();
    const turn = await bench.turnOf(
      chat,
      { calls: [{ name: 'run_extraction', args: { prompt_revid } }] },
      { text: '{"a":"b"}' },
    );
    expect((await bench.undo(chat, turn)).body.working_state.extraction).toBeNull();
    expect(await bench.statusOf(`./documents/${id}/extractions/${prompt_revid}`)).toBe(404);
    expect((await bench.admin.get<Document>(`./documents/${id}`)).body.state).toBe('ocr_completed');
  });

  it('undoes turns one by one, last one first', async () => {
    const { chat } = await bench.documentOf(bench.admin);
    const tag = await bench.newTag();
    const rename = (name: string) => ({ calls: [{ name: 'update_tag', args: { tag_id: tag.tag_id, name } }] });
    const turns = [
      await bench.turnOf(chat, rename(uniqueName('b'))),
      await bench.turnOf(chat, rename(uniqueName('c'))),
    ];
    expect((await bench.undo(chat, turns[0]!)).status).toBe(409);
    for (const turn of turns.toReversed()) expect((await bench.undo(chat, turn)).status).toBe(200);
    expect((await bench.admin.get<Tag>(`./tags/${tag.tag_id}`)).body).toEqual(tag);
  });
});

describe('undo is refused', () => {
  it('as a whole if a record has changed since, and names the record', async () => {
    const { chat } = await bench.documentOf(bench.admin);
    const [schema, tag] = [await bench.newSchema(), await bench.newTag()];
    const turn = await bench.turnOf(
      chat,
      { calls: [{ name: 'update_schema', args: { schema_id: schema.schema_id, response_format: format('x') } }] },
      { calls: [{ name: 'update_tag', args: { tag_id: tag.tag_id, description: 'theirs' } }] },
    );
    await bench.admin.request('PUT', `./schemas/${schema.schema_id}`, { payload: { name: 'By hand' } });
    const { status, error } = await bench.undo(chat, turn);
    expect([status, error?.code]).toEqual([409, 'changed_since']);
    expect(error?.message).toContain('schema “By hand” has changed since');
    expect((await bench.admin.get<Tag>(`./tags/${tag.tag_id}`)).body.description).toBe('theirs');
  });

  it('if others use a record that it would remove', async () => {
    const { chat } = await bench.documentOf(bench.admin);
    const name = uniqueName('tag');
    const turn = await bench.turnOf(chat, { calls: [{ name: 'create_tag', args: { name } }] });
    const [tag] = await bench.current<Tag>('tags', name);
    const prompt = await bench.newPrompt({ tag_ids: [tag!.tag_id] });
    expect((await bench.undo(chat, turn)).error?.message).toContain(prompt.name);
  });

  it('if a changed record was removed for good', async () => {
    const { chat } = await bench.documentOf(bench.admin);
    const other = await bench.documentOf(bench.admin);
    const args = { document_id: other.id, document_name: 'x.txt' };
    const turn = await bench.turnOf(chat, { calls: [{ name: 'update_document', args }] });
    expect((await bench.admin.request('DELETE', `./documents/${other.id}`)).status).toBe(204);
    expect((await bench.undo(chat, turn)).error).toMatchObject({ code: 'changed_since' });
  });

  it('30 days after the turn started, when the notes of its writes expire', async () => {
    const { chat } = await bench.documentOf(bench.admin);
    const turn = await bench.turnOf(chat, { calls: [{ name: 'create_tag', args: { name: uniqueName('tag') } }] });
    const days = (count: number) => new Date(Date.now() + count * 86_400_000);
    const note = await bench.connection.collection('turn_writes').findOne({ turn_id: turn.turn_id });
    expect(Math.round((note?.['expires_at'] - Date.now()) / 86_400_000)).toBe(30);
    const turns = bench.connection.collection('agent_turns');
    const one = { _id: new mongo.ObjectId(turn.turn_id) };
    await turns.updateOne(one, { $set: { created_at: days(-31) } });
    const { status, error } = await bench.undo(chat, turn);
    expect([status, error?.code]).toEqual([410, 'undo_expired']);
    await turns.updateOne(one, { $set: { created_at: days(-29) } });
    expect((await bench.undo(chat, turn)).status).toBe(200);
  });

  it('while the turn is pending, and to everyone but its owner', async () => {
    const { id, chat } = await bench.documentOf(bench.admin);
    const other = await bench.documentOf(bench.admin);
    bench.script({ calls: [{ name: 'create_tag', args: { name: uniqueName('tag') } }] }, { text: 'Done.' });
    const waiting = (await bench.admin.post<TurnAnswer>(chat, userMessage('Tag it'))).body;
    expect((await bench.undo(chat, waiting)).error?.code).toBe('turn_not_ended');
    await bench.admin.post(`${chat}/approve`, decideAll(waiting, true));
    const path = `${chat}/turns/${waiting.turn_id}/undo`;
    const colleague = await bench.addUser('member');
    const viewer = await bench.addUser('viewer');
    const stranger = await bench.addOrganization();
    expect((await colleague.post(path, {})).status).toBe(404);
    expect((await viewer.post(path, {})).status).toBe(403);
    expect((await stranger.post(path, {})).status).toBe(404);
    expect((await bench.undo(other.chat, waiting)).status).toBe(404);
    expect((await bench.undo(`./documents/${id}/chat`, waiting)).status).toBe(200);
  });
});
