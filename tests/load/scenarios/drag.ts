import { setTimeout as sleep } from 'node:timers/promises';
import { createDocwright } from '@docwright/sdk';
import { check } from '../check.ts';
import { createReport } from '../report.ts';
import { fileOf } from '../traffic.ts';
import type { StoryScenario } from './stories.ts';

/** As the web app: two requests at once. */
const uploadsAtOnce = 2;
/** How long an upload may wait for its text beside the many, in milliseconds: the contract's bound within an organization. */
const maxDelayMs = 5_000;
const looksAlone = 10;
const firstOwnStory = 1_000_000;

/**
 * A person uploads `size` texts that they chose together, file by file, while a colleague and they themselves upload one now and then. Of these,
 * the 90th percentile until their text may be five seconds longer than alone.
 */
export const drag: StoryScenario = async (laboratory, { size }) => {
  const report = createReport(laboratory);
  const { url, organizationId } = laboratory;
  const [dragging, colleague] = await laboratory.addUsers(2);
  const told: number[] = [];
  let own = firstOwnStory;

  async function upload(token: string, story: number, batchSize: number): Promise<string> {
    told.push(story);
    const form = new FormData();
    form.append('files', new Blob([`Letter of story ${story}\nTotal: ${story}.50`]), fileOf(story));
    const response = await fetch(`${url}/v0/orgs/${organizationId}/documents?batch_size=${batchSize}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    if (!response.ok) throw new Error(`An upload answered ${response.status}: ${await response.text()}`);
    const { documents } = (await response.json()) as { documents: { id: string }[] };
    return documents[0]!.id;
  }

  async function uploadOne(kind: string, token: string): Promise<void> {
    const { documents } = createDocwright({ baseUrl: url, token, organizationId, retries: 6 });
    const id = await upload(token, (own += 1), 1);
    await report.time(kind, async () => {
      while (!['ocr_completed', 'ocr_failed'].includes((await documents.get(id)).state)) await sleep(50);
    });
  }

  for (let at = 0; at < looksAlone; at += 1) await uploadOne('text alone', colleague!);
  let next = 0;
  const uploading = Promise.all(
    Array.from({ length: uploadsAtOnce }, async () => {
      for (let story = next++; story < size; story = next++) await upload(dragging!, story, size);
    }),
  );
  const reading = async () => {
    const queued = { organization_id: { $exists: true }, state: 'uploaded' };
    while ((await laboratory.db.collection('documents').countDocuments(queued)) > 0) await sleep(500);
  };
  const over = new AbortController();
  const dragged = uploading.then(reading).finally(() => over.abort());
  await sleep(2_000);
  const beside = async (kind: string, token: string) => {
    while (!over.signal.aborted) {
      await uploadOne(kind, token);
      await sleep(500);
    }
  };
  await Promise.all([
    beside('text of a colleague beside it', colleague!),
    beside('text of the same person beside it', dragging!),
    dragged,
  ]);
  const kinds = report.percentiles();
  for (const [kind, { p90 }] of Object.entries(kinds)) {
    if (p90 > kinds['text alone']!.p90 + maxDelayMs) report.problem(`${kind} took ${p90} ms`);
  }
  await check(laboratory, { uploaded: told, chatted: [] }, report);
  return report;
};
