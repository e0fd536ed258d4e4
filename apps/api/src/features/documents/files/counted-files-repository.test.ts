import type { Document, OrganizationUsage } from '@docwright/contract';
import mongoose from 'mongoose';
import { expect, it } from 'vitest';
import { storedBytesOf } from '../../../platform/database/stored-bytes/stored-bytes.ts';
import { startTestApp } from '../../../testing/test-app.ts';

it('counts pages again whose count a killed process has lost', async () => {
  const app = await startTestApp();
  const { admin, connection, services } = app;
  const content = Buffer.from('Total: 5\n'.repeat(1_000)).toString('base64');
  const { body } = await admin.post<{ documents: Document[] }>('./documents', {
    documents: [{ name: 'a.txt', content }],
  });
  await services.documents.textReading.readAll(new AbortController().signal);
  const counted = storedBytesOf(connection);
  await counted.flush();
  const stored = async () => (await admin.get<OrganizationUsage>('./usage')).body.stored_bytes;
  const before = await stored();

  // The process is killed within a second after it has stored the pages.
  const organization_id = new mongoose.Types.ObjectId(admin.organizationId);
  const parts = connection.collection('stored_bytes');
  const pages = await parts.findOneAndDelete({ organization_id, owner: `${body.documents[0]!.id}:pages` });
  expect(pages?.['bytes']).toBeGreaterThan(9_000);
  const hourAgo = new Date(Date.now() - 3_600_000);
  await connection.collection('documents').updateMany({ organization_id }, { $set: { upload_date: hourAgo } });
  await parts.updateOne(
    { organization_id, owner: '' },
    {
      $inc: { bytes: -pages?.['bytes'] },
      $set: { checked_at: new Date(Date.now() - 25 * 3_600_000), has_files: true },
    },
  );
  expect(await stored()).toBe(before - pages?.['bytes']);
  await services.documents.checkStoredBytes(new AbortController().signal);
  expect(await stored()).toBe(before);
  await app.stop();
});
