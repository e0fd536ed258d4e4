import type { Prompt, PromptAccuracy } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keptContributionModel, keptSumModel } from '../../platform/database/kept-sums/kept-sums-model.ts';
import {
  createInvoicePrompt,
  createVerifiedDocuments,
  right,
  startEvaluationTestBench,
  trueResult,
  type EvaluationTestBench,
} from '../../testing/evaluation-test-bench.ts';

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(() => bench.stop());

it('keeps sums that equal a count after verifications, corrections, removals and the trash', async () => {
  const { client, prompt, documents } = await createVerifiedDocuments(bench, 6);
  bench.answer(right);
  const path = `./prompts/${prompt.prompt_id}`;
  const { prompt_revid } = (await client.put<Prompt>(path, { content: 'Two.' })).body;
  const looked = async () => (await client.get<PromptAccuracy>(`${path}/accuracy`)).body;
  const indexed = async () => {
    const keys = await bench.services.resultIndex.pending(100);
    await Promise.all(keys.map((key) => bench.services.resultIndex.update(key)));
  };
  const of = (at: number, revid = prompt.prompt_revid) => `./documents/${documents[at]}/extractions/${revid}`;
  const edit = async (at: number, total: number) => {
    const { version } = (await client.get<{ version: number }>(of(at))).body;
    return await client.patch(of(at), { path: 'total', value: total, base_version: version });
  };
  const steps: (() => Promise<{ status: number }>)[] = [
    () => client.put(`${of(0)}/verification`, { is_verified: false }),
    () => edit(1, 7),
    () => client.put(`${of(1)}/verification`, { is_verified: true, seen: true }),
    () => client.put(`${of(0)}/verification`, { is_verified: true }),
    () => client.post(`./documents/${documents[2]}/extractions`, { prompt_revid }),
    () => client.put(`${of(2, prompt_revid)}/verification`, { is_verified: true, seen: true }),
    () => client.delete(`./documents/${documents[3]}`),
    () => client.post(`${of(4)}/versions/1/restore`, { base_version: 1 }),
    () => client.post(`./documents/${documents[3]}/restore`, {}),
    () => client.delete(`./documents/${documents[5]}`),
    () => client.delete(`./documents/trash/${documents[5]}`),
    () => client.put(`${of(2, prompt_revid)}/verification`, { is_verified: false }),
  ];
  const shown = new Set<string>();
  for (const [at, step] of steps.entries()) {
    // The index of results is behind, has just caught up, or is read while it does.
    if (at % 3 === 1) await indexed();
    expect((await step()).status).toBeLessThan(300);
    const [kept] = await Promise.all([looked(), at % 3 === 2 && indexed()]);
    expect(kept).toEqual(await looked());
    await Promise.all([
      keptSumModel(bench.connection).deleteMany(),
      keptContributionModel(bench.connection).deleteMany(),
    ]);
    const counted = await looked();
    expect(kept, `after step ${at}`).toEqual(counted);
    shown.add(JSON.stringify(counted));
  }
  expect(shown.size).toBeGreaterThan(6);
});

it('counts values that were verified unseen, also outside of the schema and after a row was removed', async () => {
  const client = await bench.addOrganization();
  const prompt = await createInvoicePrompt(client);
  bench.answer(({ document }) => ({ ...trueResult(document), note: 'x' }));
  const document = await bench.addVerifiedDocument(client, prompt, '100', {});
  const url = `./documents/${document}/extractions/${prompt.prompt_revid}`;
  const { version } = (await client.get<{ version: number }>(url)).body;
  await client.put(`${url}/verification`, { is_verified: false });
  await client.put(`${url}/verification`, { is_verified: true, seen: false });
  const accuracy = `./prompts/${prompt.prompt_id}/accuracy`;
  expect(await client.get(accuracy)).toMatchObject({ status: 200, body: { overall: { values: 0, unseen: 7 } } });

  const lines = trueResult('100').lines.slice(1);
  await client.patch(url, { path: 'lines', value: lines, base_version: version });
  expect(await client.get(accuracy)).toMatchObject({ status: 200, body: { overall: { correct: 0 } } });
});
