import fs from 'node:fs';
import path from 'node:path';
import type { RunEvent, Schedule } from '@docwright/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { invoice, startSignedInProduct, type SignedInProduct } from './signed-in-product.ts';

let product: SignedInProduct;
let env: { DOCWRIGHT_TOKEN: string };
beforeAll(async () => {
  product = await startSignedInProduct();
  env = { DOCWRIGHT_TOKEN: product.token };
});
afterAll(() => product.stop());

test('a proposal is created on upload, awaited, and accepted or rejected by name', async () => {
  const file = path.join(product.folder, 'proposed.pdf');
  fs.copyFileSync(invoice, file);
  const upload = await product.docwright(['upload', file, '--auto-create', '--wait', '--json'], { env });
  expect(upload.code).toBe(0);
  expect(JSON.parse(upload.stdout)).toMatchObject({ documents: [{ auto_create: { status: 'proposed' } }] });
  const accepted = await product.docwright(['auto-create', 'accept', 'proposed.pdf'], { env });
  expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining('accepted') });
  const again = await product.docwright(['auto-create', 'reject', 'proposed.pdf'], { env });
  expect(again.code).toBe(1);
});

test('a run over documents is followed to its end, event by event', async () => {
  const message = 'create a schema for this invoice and extract it';
  const start = ['runs', 'start', '-m', message, '--document', 'proposed.pdf', '--watch'];
  const denied = await product.docwright([...start, '--json'], { env });
  const events = denied.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RunEvent);
  expect(events.at(-1)).toMatchObject({ type: 'done', run: { state: 'completed', total: 1 } });

  const allowed = await product.docwright([...start, '--allow-tool', 'create_schema,create_prompt,run_extraction'], {
    env,
  });
  expect(allowed).toMatchObject({ code: 0, stdout: expect.stringContaining('1 of 1 succeeded') });
  const list = await product.docwright(['runs', '--state', 'completed', '--json'], { env });
  const { runs } = JSON.parse(list.stdout) as { runs: { id: string }[] };
  expect(runs).toHaveLength(2);
  expect((await product.client.runs.wait(runs[0]!.id)).succeeded).toBe(1);
  const both = await product.docwright(['runs', 'start', '-m', 'x', '--all', '--document', 'proposed.pdf'], { env });
  expect(both.code).toBe(2);
});

test('a schedule is created, changed, run and deleted by its name', async () => {
  const when = ['--cron', '0 3 * * *', '--timezone', 'Europe/Berlin'];
  const create = [
    'schedules',
    'create',
    'Nightly',
    ...when,
    '--action',
    'run_extraction',
    '--without-result',
    '--json',
  ];
  const made = JSON.parse((await product.docwright(create, { env })).stdout) as Schedule;
  expect(made).toMatchObject({ name: 'Nightly', filter: { without_result: true }, enabled: true });
  const changed = await product.docwright(['schedules', 'update', 'nightly', '--disable', '--json'], { env });
  expect(JSON.parse(changed.stdout)).toMatchObject({ id: made.id, cron: '0 3 * * *', enabled: false });
  const run = await product.docwright(['schedules', 'run', 'Nightly', '--watch'], { env });
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('completed') });
  const { runs } = await product.client.schedules.runs(made.id);
  expect(runs).toMatchObject([{ trigger: 'manual', action: 'run_extraction' }]);
  expect((await product.docwright(['schedules', 'delete', 'Nightly'], { env })).code).toBe(0);
  expect((await product.client.schedules.list()).total_count).toBe(0);
  const bad = await product.docwright(['schedules', 'create', 'x', '--cron', 'bogus', '--action', 'auto_create'], {
    env,
  });
  expect(bad).toMatchObject({ code: 1, stderr: expect.stringContaining('five fields') });
});

test('proposals are listed by kind, shown with their values, accepted for some documents and rejected for the rest', async () => {
  const receipts = [41, 42, 43].map((number) => {
    const file = path.join(product.folder, `receipt-${number}.txt`);
    const lines = [
      'Corner Bakery',
      'RECEIPT',
      `Receipt number: R-${number}`,
      'Date: 2026-03-04',
      `Total: ${number}.50 EUR`,
    ];
    fs.writeFileSync(file, `${lines.join('\n')}\nThank you for your visit at Corner Bakery\n`);
    return file;
  });
  expect((await product.docwright(['upload', ...receipts, '--auto-create', '--wait'], { env })).code).toBe(0);
  const list = await product.docwright(['proposals'], { env });
  expect([list.code, list.stdout.trimEnd().split('\n').length]).toEqual([0, 1]);
  const [id, name] = list.stdout.split('\t') as [string, string];
  const shown = await product.docwright(['proposals', 'show', name], { env });
  expect(shown.stdout).toMatch(/receipt-42\.txt\t\d+ of \d+\t.*R-42/u);
  const one = ['--document', 'receipt-41.txt', '--new-tag', 'Receipts'];
  const accepted = await product.docwright(['proposals', 'accept', name, ...one, '--json'], { env });
  expect(JSON.parse(accepted.stdout)).toMatchObject({ id, status: 'accepted', left: 2 });
  const rejected = await product.docwright(['proposals', 'reject', id], { env });
  expect(rejected).toMatchObject({ code: 0, stdout: `${id} rejected 2\n` });
  expect((await product.docwright(['proposals', '--json'], { env })).stdout).toContain('"total_count": 0');
  expect((await product.docwright(['proposals', 'accept', 'Nothing like it'], { env })).code).toBe(4);
  const both = ['--tag', 'Receipts', '--new-tag', 'More'];
  expect((await product.docwright(['proposals', 'accept', id, ...both], { env })).code).toBe(2);
});

test('the inbox lists the pending calls of a run, which are decided by group or by call', async () => {
  const ask = async (name: string) => {
    const message = `create a tag called ${name}`;
    const start = ['runs', 'start', '-m', message, '--document', 'proposed.pdf', '--park', '--watch'];
    await product.docwright(start, { env });
    const list = await product.docwright(['inbox', '--groups', '--json'], { env });
    const { approvals } = JSON.parse(list.stdout) as { approvals: { group: string; call_id: string; tool: string }[] };
    expect(approvals).toMatchObject([{ tool: 'create_tag', group_size: 1 }]);
    return approvals[0]!;
  };
  const tags = async () => (await product.client.tags.list()).tags.map(({ name }) => name);
  const { group } = await ask('Seen');
  expect((await product.docwright(['inbox'], { env })).stdout).toMatch(/^[\w-]+\t.*Seen.*\tproposed\.pdf\trun /u);
  expect(await tags()).not.toContain('Seen');
  const approved = await product.docwright(['inbox', 'approve', '--group', group], { env });
  expect(approved).toMatchObject({ code: 0, stderr: expect.stringContaining('Approved 1 of 1.') });
  await expect.poll(tags).toContain('Seen');

  const { call_id } = await ask('Unwanted');
  const reasoned = ['inbox', 'reject', call_id, '--reason', 'There is one already'];
  expect((await product.docwright(reasoned, { env })).stderr).toContain('Rejected 1 of 1.');
  expect((await product.docwright(['inbox', '--json'], { env })).stdout).toContain('"total_count": 0');
  expect(await tags()).not.toContain('Unwanted');
  expect((await product.docwright(['inbox', 'approve', call_id], { env })).code).toBe(2);
});
