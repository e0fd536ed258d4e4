import type { Document } from '@docwright/contract';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockedPdf } from '@docwright/documents/testing/locked-pdf';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';
import type { TestClient } from '../../../testing/test-client.ts';

let app: TestApp;
let client: TestClient;
beforeAll(async () => {
  app = await startTestApp({ settings: { MAX_ATTACHMENTS: '3' } });
  client = await app.addOrganization();
  await client.patch(`/v0/orgs/${client.organizationId}`, { on_duplicate: 'mark' });
});
afterAll(() => app.stop());

let mails = 0;
type Part = readonly [name: string, content: string];
function mail(...parts: readonly Part[]): string {
  mails += 1;
  const boundary = `of-mail-${mails}`;
  const files = parts.map(([name, content]) => {
    const isMail = name.endsWith('.eml');
    const encoded = isMail ? content : Buffer.from(content, 'latin1').toString('base64');
    return `--${boundary}
Content-Type: ${isMail ? 'message/rfc822' : 'application/octet-stream'}; name="${name}"
Content-Disposition: attachment; filename="${name}"
Content-Transfer-Encoding: ${isMail ? '8bit' : 'base64'}

${encoded}
`;
  });
  return `From: a@example.org
Subject: Mail ${mails}
Content-Type: multipart/mixed; boundary=${boundary}

--${boundary}
Content-Type: text/plain

See files ${mails}
${files.join('')}--${boundary}--
`;
}

async function upload(name: string, content: string | Uint8Array, more: object = {}) {
  const document = { name, content: Buffer.from(content as string, 'latin1').toString('base64'), ...more };
  return await client.post<{ documents: Document[] }>('./documents', { documents: [document] });
}
async function read(name: string, content: string | Uint8Array, more: object = {}): Promise<Document> {
  const { body, error } = await upload(name, content, more);
  expect(error).toBeUndefined();
  // A slow machine reads the mail in the long lane, which comes after the quick one of its attachments.
  for (const _ of [1, 2]) await app.services.documents.textReading.readAll(new AbortController().signal);
  return await get(body.documents[0]!.id);
}
const get = async (id: string) => (await client.get<Document>(`./documents/${id}`)).body;
const inside = async ({ id }: Document) =>
  (await client.get<{ documents: Document[] }>(`./documents?attached_to=${id}&sort=document_name`)).body.documents;
const textOf = async ({ id }: Document) =>
  (await client.get<{ pages: { text: string }[] }>(`./documents/${id}/text`)).body.pages.map(({ text }) => text).join();

describe('files inside of a document', () => {
  it('of a mail are documents of their own, with its tags, its metadata and their own text', async () => {
    const tag = (await client.post<{ tag_id: string }>('./tags', { name: 'Mail' })).body.tag_id;
    const parent = await read('a.eml', mail(['total.txt', 'Total: 5 EUR'], ['list.csv', 'a;b\n1;2']), {
      tag_ids: [tag],
      metadata: { case: 7 },
    });
    expect(parent.unread).toBeUndefined();
    const [list, total] = await inside(parent);
    expect(list).toMatchObject({ document_name: 'list.csv', mime_type: 'text/csv', attached_to: parent.id });
    expect(total).toMatchObject({ state: 'ocr_completed', tag_ids: [tag], metadata: { case: 7 } });
    expect(await textOf(total!)).toBe('Total: 5 EUR');
  });

  it('of an archive are too', async () => {
    const bytes = zipSync({ 'in/one.txt': strToU8('One in the archive'), 'two.bin': new Uint8Array([0, 1, 2, 3]) });
    const parent = await read('a.zip', bytes);
    expect((await inside(parent)).map(({ document_name }) => document_name)).toEqual(['one.txt']);
    expect(parent.unread).toEqual([expect.objectContaining({ kind: 'attachment', name: 'two.bin' })]);
  });

  it('are followed three deep', async () => {
    const deepest = mail(['x.txt', 'Too deep']);
    const parent = await read('deep.eml', mail(['b.eml', mail(['c.eml', mail(['d.eml', deepest])])]));
    let level = parent;
    for (let depth = 0; depth < 3; depth += 1) {
      const [next] = await inside(level);
      level = await get(next!.id);
    }
    expect(await inside(level)).toEqual([]);
    expect(level.unread).toEqual([expect.objectContaining({ kind: 'attachment', name: 'x.txt' })]);
  });

  it('beyond the limit, and all with include_attachments: false, are named as unread', async () => {
    const parts = Array.from({ length: 5 }, (_, at): Part => [`${at}.txt`, `Part ${at} of a mail`]);
    const parent = await read('many.eml', mail(...parts));
    expect(await inside(parent)).toHaveLength(3);
    expect(parent.unread?.map(({ name }) => name)).toEqual(['3.txt', '4.txt']);
    const without = await read('none.eml', mail(...parts), { include_attachments: false });
    expect(await inside(without)).toEqual([]);
    expect(without.unread).toHaveLength(5);
  });

  it('with the bytes of another document are its duplicates', async () => {
    const first = await read('terms.txt', 'The same terms each time');
    const parent = await read('terms.eml', mail(['terms.txt', 'The same terms each time']));
    expect(await inside(parent)).toEqual([expect.objectContaining({ duplicate_of: first.id })]);
  });

  it('are made once when their document is read again', async () => {
    const parent = await read('again.eml', mail(['again.txt', 'Read again']));
    const { connection } = app;
    await connection.collection('documents').updateOne({ document_name: 'again.eml' }, { $set: { state: 'uploaded' } });
    await app.services.documents.textReading.readAll(new AbortController().signal);
    expect(await inside(parent)).toHaveLength(1);
  });
});

describe('the trash', () => {
  const list = async () => (await client.get<{ documents: Document[] }>('./documents/trash?limit=100')).body.documents;

  it('takes what is inside of a document with it and gives it back', async () => {
    const parent = await read('trash.eml', mail(['inner.eml', mail(['leaf.txt', 'A leaf'])], ['b.txt', 'Bee']));
    const [alone] = (await inside(parent)).filter(({ document_name }) => document_name === 'b.txt');
    await client.delete(`./documents/${alone!.id}`);
    await client.delete(`./documents/${parent.id}`);
    const names = (await list()).map(({ document_name }) => document_name);
    expect(names).toEqual(expect.arrayContaining(['trash.eml', 'inner.eml', 'leaf.txt', 'b.txt']));
    await client.post(`./documents/${parent.id}/restore`);
    // What was deleted by itself stays in the trash.
    expect((await inside(parent)).map(({ document_name }) => document_name)).toEqual(['inner.eml']);
    expect((await list()).map(({ id }) => id)).toEqual([alone!.id]);
  });

  it('loses it for good with its document', async () => {
    const parent = await read('purge.eml', mail(['gone.txt', 'Gone for good']));
    await client.delete(`./documents/${parent.id}`);
    await client.delete(`./documents/trash/${parent.id}`);
    const remaining = await app.connection.collection('documents').countDocuments({ document_name: 'gone.txt' });
    expect(remaining).toBe(0);
  });

  it('gets it back too when the upload is undone', async () => {
    const parent = await read('undo.eml', mail(['undo.txt', 'Undone']));
    const { body } = await client.get<{ entries: { id: string; document_id?: string }[] }>('./audit?limit=100');
    const entry = body.entries.find(({ document_id }) => document_id === parent.id);
    await client.post(`./audit/${entry!.id}/undo`, {});
    expect((await client.get(`./documents/${parent.id}`)).error?.code).toBe('document_not_found');
    expect((await list()).map(({ document_name }) => document_name)).toContain('undo.txt');
  });
});

describe('a PDF with a password', () => {
  it('waits for it and is read once it is given', async () => {
    const document = await read('locked.pdf', lockedPdf('Total 12.50', 'geheim'));
    expect(document).toMatchObject({ state: 'ocr_failed', state_error: { code: 'password_required' } });
    const path = `./documents/${document.id}/password`;
    expect((await client.post(path, { password: 'falsch' })).error?.code).toBe('wrong_file_password');
    const opened = await client.post<Document>(path, { password: 'geheim' });
    expect(opened.body).toMatchObject({ id: document.id, state: 'uploaded' });
    await app.services.documents.textReading.readAll(new AbortController().signal);
    expect(await textOf(document)).toBe('Total 12.50');
    expect((await client.post(path, { password: 'geheim' })).error?.code).toBe('no_password_needed');
    const stored = JSON.stringify(await app.connection.collection('audit_entries').find().toArray());
    expect(stored).not.toContain('geheim');
  });

  it('is read at once if the upload has the password', async () => {
    const bytes = lockedPdf('Total 99.00', 'mit Leerzeichen ');
    expect(await textOf(await read('open.pdf', bytes, { password: 'mit Leerzeichen ' }))).toBe('Total 99.00');
    expect((await upload('wrong.pdf', bytes, { password: 'x' })).error?.code).toBe('wrong_file_password');
  });
});

it('an electronic invoice has its values in machine_data of the document, which lists leave out', async () => {
  const xml = '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID>U-77</ID></Invoice>';
  const document = await read('invoice.xml', xml);
  expect(document.machine_data).toEqual([{ kind: 'invoice_xml', data: { number: 'U-77' } }]);
  const { body } = await client.get<{ documents: Document[] }>('./documents?name_search=invoice.xml');
  expect(body.documents[0]).not.toHaveProperty('machine_data');
});

it('the lines of a passport have their page and place in machine_data', async () => {
  const lines = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'];
  const document = await read('passport.txt', `A letter\n\n${lines.join('\n')}\n`);
  expect(document.machine_data).toMatchObject([
    { kind: 'mrz', profile: 'td3', page_num: 1, box: {}, data: { document_number: 'L898902C3' } },
  ]);
});

describe('a document that is kept from models', () => {
  it('keeps its attachments from them at every level, also when it is protected later, and not its neighbours', async () => {
    const parent = await read(
      'a.eml',
      mail(['inner.eml', mail(['deep.txt', 'deep secret'])], ['plain.txt', 'a secret']),
    );
    const other = await read('b.eml', mail(['other.txt', 'no secret']));
    const [inner, plain] = await inside(parent);
    const [deep] = await inside(inner!);
    await client.patch(`./documents/${parent.id}`, { never_to_model: true });
    const states = await Promise.all([inner!, plain!, deep!].map(async ({ id }) => (await get(id)).never_to_model));
    expect(states).toEqual([true, true, true]);
    expect((await get((await inside(other))[0]!.id)).never_to_model).toBe(false);
    // What contains it says nothing of it.
    expect((await get(other.id)).never_to_model).toBe(false);
  });
});
