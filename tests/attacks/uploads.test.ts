import { connect } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Document } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../apps/api/src/testing/test-app.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
});
afterAll(async () => harness.stop());

const documentsUrl = () => `${harness.address}/v0/orgs/${harness.admin.organizationId}/documents`;
const signedIn = () => ({ authorization: `Bearer ${harness.admin.accessToken}` });

async function upload(name: string, text: string): Promise<string> {
  const form = new FormData();
  form.append('files', new Blob([text]), name);
  const answer = await fetch(documentsUrl(), { method: 'POST', headers: signedIn(), body: form });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { documents: [Document] }).documents[0].id;
}

describe('a file that is larger than any page', () => {
  it.each([
    ['one word of 3 MB', 'word.txt', 'a'.repeat(3_000_000)],
    ['a table of a million columns', 'wide.csv', `${'a,'.repeat(1_000_000)}b`],
    ['a quote that is never closed', 'open.csv', `a,"${'b\n'.repeat(1_500_000)}`],
  ])('%s has a code of its own and holds nothing up', async (_what, name, text) => {
    const id = await upload(name, text);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    await harness.services.documents.textReading.readAll(new AbortController().signal);
    delay.disable();
    const { body } = await harness.admin.get<Document>(`./documents/${id}`);
    expect([body.state, body.state_error?.code]).toEqual(['ocr_failed', 'page_too_large']);
    // Below 200 ms on a quiet machine; a busy one can stall for longer.
    expect(delay.max / 1e6).toBeLessThan(2_000);
  });
});

describe('an interrupted upload', () => {
  const chunks = () => harness.connection.collection('files.chunks').countDocuments();
  const sweep = () => harness.services.documents.sweeping.sweep(new AbortController().signal);

  it('by its client leaves neither a document nor bytes', async () => {
    const before = await chunks();
    const total = (await harness.admin.get<{ total_count: number }>('./documents')).body.total_count;
    const { port, hostname, pathname } = new URL(documentsUrl());
    const socket = connect(Number(port), hostname);
    const head = '--x\r\ncontent-disposition: form-data; name="files"; filename="half.txt"\r\n\r\n';
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${signedIn().authorization}\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 9000000\r\n\r\n${head}`,
    );
    socket.write('Total: 5\n'.repeat(200_000));
    await new Promise((resolve) => setTimeout(resolve, 200));
    socket.destroy();
    await expect.poll(chunks).toBe(before);
    expect((await harness.admin.get('./documents')).body).toMatchObject({ total_count: total });
  });

  it('by the end of the server is removed later, and uploads in progress are not', async () => {
    const kept = await upload('kept.txt', 'Total: 5');
    const before = await chunks();
    // The state that a process leaves when it is killed during an upload.
    const half = new mongoose.Types.ObjectId();
    const begun_at = new Date(Date.now() - 7 * 60 * 60 * 1000);
    await harness.connection.collection('pending_uploads').insertOne({ _id: half, begun_at });
    await harness.connection.collection('files.chunks').insertOne({ files_id: half, n: 0, data: Buffer.from('half') });
    await sweep();
    expect(await chunks()).toBe(before);
    expect((await harness.admin.get(`./documents/${kept}/file`)).text).toBe('Total: 5');
  });
});
