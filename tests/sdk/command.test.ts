import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invoice, password, runDocwright, startSignedInProduct, type SignedInProduct } from './signed-in-product.ts';

let product: SignedInProduct;
let env: { DOCWRIGHT_TOKEN: string };
beforeAll(async () => {
  product = await startSignedInProduct();
  env = { DOCWRIGHT_TOKEN: product.token };
});
afterAll(() => product.stop());

const schemaPlease = 'create a schema for this invoice and extract it';
const notes = { name: 'note.txt', content: 'Invoice INV-7\nTotal: 5 EUR\n' };

async function upload(name: string): Promise<string> {
  const { id } = await product.client.documents.upload({ ...notes, name });
  await product.client.documents.waitForText(id);
  return id;
}

test('login stores a token for this server only, whoami shows it, logout revokes it', async () => {
  const login = await product.spawnDocwright(['login', '--email', product.email, '--password-stdin'], {
    input: `${password}\n`,
  });
  expect(login).toMatchObject({ code: 0, stdout: '' });
  expect(login.stderr).toContain(`Signed in at ${product.url} as ${product.email}.`);
  const file = path.join(product.folder, 'docwright/config.json');
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  const { servers } = JSON.parse(fs.readFileSync(file, 'utf8')) as { servers: Record<string, { token: string }> };
  const { token } = servers[product.url]!;
  expect(login.stderr).not.toContain(token);

  const whoami = await product.spawnDocwright(['whoami', '--json']);
  expect(JSON.parse(whoami.stdout)).toMatchObject({ url: product.url, user: { email: product.email } });
  // Another server does not receive it.
  const elsewhere = await product.docwright(['whoami', '--url', 'http://127.0.0.1:9']);
  expect(elsewhere).toMatchObject({ code: 3, stderr: expect.stringContaining('Not signed in at http://127.0.0.1:9') });

  expect((await product.docwright(['logout'])).code).toBe(0);
  expect(fs.readFileSync(file, 'utf8')).not.toContain(token);
  const revoked = await product.docwright(['whoami'], { env: { DOCWRIGHT_TOKEN: token } });
  expect(revoked.code).toBe(3);
  expect((await product.docwright(['whoami'])).code).toBe(3);
});

test('upload takes patterns, sets tags, waits, and continues after a refused file', async () => {
  await product.client.tags.create({ name: 'Paid' });
  const good = path.join(product.folder, 'good [1].txt');
  fs.writeFileSync(good, notes.content);
  fs.writeFileSync(path.join(product.folder, 'bad.bin'), new Uint8Array(1000));
  const both = path.join(product.folder, '*.{txt,bin}');
  const end = await product.spawnDocwright(['upload', both, good, '--tag', 'paid', '--wait', '--json'], { env });
  expect(end.code).toBe(1);
  const { documents, failed } = JSON.parse(end.stdout) as { documents: object[]; failed: object[] };
  expect(documents).toMatchObject([{ document_name: 'good [1].txt', tag_ids: [expect.any(String)] }]);
  expect(failed).toMatchObject([{ error: { code: 'unsupported_file_type', status: 415 } }]);
  expect(end.stderr).toContain('✓ good [1].txt');

  const list = await product.docwright(['documents', '--tag', 'Paid'], { env });
  expect(list.stdout).toMatch(/^[0-9a-f]{24}\tgood \[1\]\.txt\tocr_completed\t1\t/);
});

test('a message ends at a pending call, approve continues it, and extraction and undo follow', async () => {
  const { id } = await product.client.documents.upload(invoice);
  await product.client.documents.waitForText(id);
  const chat = await product.docwright(['chat', 'contoso-invoice.pdf', '-m', schemaPlease, '--json'], { env });
  expect(chat.code).toBe(5);
  const turn = JSON.parse(chat.stdout) as { turn_id: string; tool_calls: { id: string; name: string }[] };
  expect(turn.tool_calls.map(({ name }) => name)).toEqual(['create_schema']);
  expect(chat.stderr).toContain(`docwright approve ${turn.turn_id}`);

  const wrong = await product.docwright(['approve', turn.turn_id, '--call', 'nope'], { env });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining(turn.tool_calls[0]!.id) });
  const second = await product.docwright(['approve', turn.turn_id, '--call', turn.tool_calls[0]!.id], { env });
  expect(second).toMatchObject({ code: 5, stderr: expect.stringContaining('✓ create_schema') });
  // The model proposes the prompt and its extraction in one answer, so one decision covers both.
  const both = ['approve', turn.turn_id, '--remember', 'document', '--json', '--events'];
  const last = await product.docwright(both, { env });
  expect(last.code).toBe(0);
  const events = last.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string });
  expect(events.at(-1)).toMatchObject({ type: 'done', result: { status: 'completed' } });
  expect((await product.docwright(['approve', turn.turn_id], { env })).code).toBe(1);
  const { permission_rules } = await product.client.permissionRules.list();
  expect(permission_rules.map(({ tool, scope }) => `${tool} ${scope}`).toSorted()).toEqual([
    'create_prompt document',
    'run_extraction document',
  ]);

  const extraction = await product.docwright(['extraction', id], { env });
  expect(JSON.parse(extraction.stdout)).toMatchObject({ invoice_number: 'INV-100' });
  const csv = await product.docwright(['extraction', id, '--csv'], { env });
  expect(csv.stdout.split('\n').slice(0, 2)).toEqual([
    'path,value,page,match,quote',
    'invoice_number,INV-100,1,exact,INV-100',
  ]);

  const undo = await product.docwright(['undo', turn.turn_id, '--json'], { env });
  expect(JSON.parse(undo.stdout)).toMatchObject({ undone: [{ tool: 'run_extraction' }, {}, {}] });
  expect((await product.docwright(['extraction', id], { env })).code).toBe(4);
});

test('a conversation is decided by keys, one line at a time', async () => {
  const id = await upload('talk.txt');
  const input = [schemaPlease, '?', 's', 'n', 'no schemas today', 'show me the text', ''].join('\n');
  const end = await product.spawnDocwright(['chat', id], { env, input });
  expect(end.code).toBe(0);
  expect(end.stderr).toContain('┌ create_schema asks for approval');
  expect(end.stderr).toContain('x  stop the turn');
  expect(end.stderr).toContain('✗ create_schema: User rejected this action. Reason: no schemas today');
  expect(end.stdout).toContain('INV-7');
  expect(end.stdout).not.toContain('┌');

  const edited = await product.docwright(['chat', id, schemaPlease], {
    env,
    input: 'e\nnot json\ne\n{"name": "Mine"}\nx\n',
  });
  expect(edited.stderr).toContain('That is not JSON');
  expect(edited.stderr).toMatch(/arguments|schema/i);
  expect(edited.code).toBe(1);

  const left = await product.docwright(['chat', id, schemaPlease], { env });
  expect(left).toMatchObject({ code: 5, stderr: expect.stringContaining('--thread') });
  const thread = /--thread ([0-9a-f]{24})/.exec(left.stderr)?.[1] ?? '';
  const resumed = await product.docwright(['chat', id, '--thread', thread], { env, input: 'q\n' });
  expect(resumed).toMatchObject({ code: 5, stderr: expect.stringContaining('┌ create_schema') });
});

test('--yes approves every call, and --auto-approve the named tools', async () => {
  const id = await upload('yes.txt');
  const named = await product.docwright(['chat', id, '-m', schemaPlease, '--auto-approve', 'create_schema', '--json'], {
    env,
  });
  expect(JSON.parse(named.stdout)).toMatchObject({
    tool_calls: [{ name: 'create_prompt' }, { name: 'run_extraction' }],
  });
  const all = await product.docwright(['chat', id, '-m', schemaPlease, '--yes'], { env });
  expect(all).toMatchObject({ code: 0, stderr: expect.stringContaining('✓ run_extraction') });
});

describe('exit codes', () => {
  const nowhere = '0123456789abcdef01234567';
  test.each<[number, string, string[], Record<string, string>, RegExp]>([
    [2, 'no command', [], {}, /Usage: docwright/],
    [2, 'an unknown command', ['uplaod'], {}, /Did you mean upload/],
    [2, 'an unknown option', ['documents', '--nope'], {}, /unknown option/],
    [2, 'a missing argument', ['chat'], {}, /missing required argument/],
    [2, 'nothing to say', ['chat', 'x', '-m', ' '], {}, /--message/],
    [2, 'no server’s address', ['documents', '--url', 'ftp://x'], {}, /is not the address of a server/],
    [2, 'a folder', ['upload', '/tmp'], {}, /is a folder/],
    [2, 'no documents named for a run', ['runs', 'start', '-m', 'x'], {}, /--all/],
    [3, 'a bad token', ['documents'], { DOCWRIGHT_TOKEN: 'nope' }, /DOCWRIGHT_TOKEN/],
    [3, 'nobody signed in', ['documents'], { DOCWRIGHT_TOKEN: '' }, /docwright login/],
    [4, 'a file that is not there', ['upload', 'nope.pdf'], {}, /nope.pdf does not exist/],
    [4, 'a document that is not there', ['chat', 'nope', '-m', 'x'], {}, /docwright documents/],
    [4, 'a document by id that is not there', ['text', nowhere], {}, /no such document/],
    [4, 'a turn that is not there', ['approve', nowhere], {}, /--document/],
    [4, 'a run that is not there', ['runs', 'show', nowhere], {}, /run/],
    [4, 'a tag that is not there', ['upload', invoice, '--tag', 'nope'], {}, /tags create/],
    [7, 'no server', ['documents', '--url', 'http://127.0.0.1:9'], {}, /Check the address and that the server runs/],
  ])('%i for %s', async (code, _what, args, extra, says) => {
    const end = await product.docwright(args, { env: { ...env, ...extra } });
    expect(end.stderr).toMatch(says);
    expect(end).toMatchObject({ code, stdout: '' });
    expect(end.stderr).not.toMatch(/\n\s+at /);
  });

  test('tell a shell the reason', async () => {
    expect(await product.spawnDocwright(['text', nowhere], { env })).toMatchObject({ code: 4, stdout: '' });
  });

  test('come with an error as one JSON document, and without colours in pipes', async () => {
    const end = await product.docwright(['text', nowhere, '--json'], { env });
    expect(JSON.parse(end.stdout)).toMatchObject({ error: { code: 'document_not_found', status: 404 } });
    expect(end.stderr).not.toContain('\u001b');
  });

  test('are 6 for a used-up budget', async () => {
    const id = await upload('budget.txt');
    await product.client.usage.setBudget({ spu_limit: 0, period: 'total' });
    const end = await product.docwright(['chat', id, '-m', 'hello'], { env });
    await product.client.usage.setBudget({ spu_limit: null, period: 'total' });
    expect(end.code).toBe(6);
    const limited = await product.docwright(['usage', 'budget', '--cost', '12.5', '--period', 'month'], { env });
    expect(limited.stdout).toMatch(/of unlimited SPU, .* of 12\.50 USD this month\./u);
    const shown = await product.docwright(['usage', '--by', 'model'], { env });
    expect(shown.stdout).toContain('demo-rules-1');
    await product.docwright(['usage', 'budget', '--cost', 'none', '--period', 'total'], { env });
  });

  test('are 0 for --help and --version', async () => {
    const help = await runDocwright(['--help'], {});
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('6    the budget is used up');
    expect((await runDocwright(['--version'], {})).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
