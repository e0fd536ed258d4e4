import type { Run, Schedule, Tag } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  startReviewedResultsTestBench,
  type ReviewedResultsTestBench,
} from '../../../testing/reviewed-results-test-bench.ts';

let bench: ReviewedResultsTestBench;
beforeAll(async () => {
  bench = await startReviewedResultsTestBench();
});
afterAll(() => bench.stop());

/** Large form: RERUNS=1000. */
const reruns = Number(process.env['RERUNS'] ?? 24);
/** Half of them are verified, half edited. */
const reviewedDocuments = reruns >= 100 ? 6 : 2;
const ways = ['api', 'chat', 'auto_approve', 'run', 'schedule', 'mcp'] as const;
/** The values of `replace` that a model can send. Automatic approval covers none of them. */
const levels = [undefined, 'unreviewed', 'edited', 'verified'] as const;

/** A result without its release, whose reasons are judged later. */
async function read(url: string) {
  const { release: _release, ...result } = await bench.read(url);
  return result;
}

/** Creates a schedule for one document, whether it has a result or not. */
async function scheduleFor(document: string, prompt_id: string, name: string): Promise<string> {
  const { tag_id } = (await bench.admin.post<Tag>('./tags', { name })).body;
  await bench.admin.patch(`./documents/${document}`, { tag_ids: [tag_id] });
  const filter = { tag_ids: [tag_id], without_result: false };
  const body = { name, every: '1d', action: 'run_extraction', prompt_id, filter };
  return (await bench.admin.post<Schedule>('./schedules', body)).body.id;
}

it(
  `keeps every verified and every edited result in ${reruns} re-runs of every kind`,
  { timeout: 60_000 + reruns * 3_000 },
  async () => {
    const rule = { tool: 'run_*', effect: 'allow', scope: 'organization' };
    await bench.admin.post('./permission_rules', rule);
    const reviewed = await Promise.all(Array.from({ length: reviewedDocuments }, () => bench.extractDocument()));
    const schedules: string[] = [];
    for (const [at, { document, prompt, url }] of reviewed.entries()) {
      await (at % 2 === 0 ? bench.verify(url) : bench.edit(url, `mine ${at}`, 1));
      schedules.push(await scheduleFor(document, prompt.prompt_id, `kept ${at}`));
    }
    const before = await Promise.all(reviewed.map(({ url }) => read(url)));
    const outcomes: Record<string, number> = {};
    for (let at = 0; at < reruns; at += 1) {
      const which = at % reviewed.length;
      const { document, prompt, url } = reviewed[which]!;
      const { prompt_revid } = prompt;
      const replace = levels[(at + Math.floor(at / (reviewed.length * ways.length))) % levels.length];
      const args = { prompt_revid, ...(replace && { replace }) };
      const way = ways[Math.floor(at / reviewed.length) % ways.length]!;
      outcomes[way] = (outcomes[way] ?? 0) + 1;
      if (way === 'api') expect((await bench.rerun(url)).status).toBe(409);
      else if (way === 'run') {
        bench.script({ calls: [{ name: 'run_extraction', args }] });
        const body = { document_ids: [document], message: 'Again', auto_approved_tools: ['run_extraction'] };
        const started = (await bench.admin.post<Run>('./runs', body)).body;
        expect(await bench.waitForRun(started)).toMatchObject({ skipped: 1, succeeded: 0, failed: 0 });
      } else if (way === 'schedule') {
        const started = (await bench.admin.post<Run>(`./schedules/${schedules[which]}/run`, {})).body;
        expect(await bench.waitForRun(started)).toMatchObject({ matched: 1, skipped: 1, failed: 0 });
      } else if (way === 'mcp') {
        const call = {
          name: 'run_extraction',
          arguments: JSON.stringify(args),
          program: 'A program',
          via: 'mcp' as const,
        };
        const { answer } = await bench.services.chat.programCalls.start(bench.admin.actor, {
          ...call,
          documentId: document,
          areOfDocument: true,
        });
        expect((await answer).status).toBe('awaiting_approval');
      } else {
        bench.script({ calls: [{ name: 'run_extraction', args }] });
        const approving =
          way === 'chat' ? { auto_approved_tools: ['run_extraction'] } : { auto_approve: true, stream: true };
        const message = { messages: [{ role: 'user', content: 'Again' }], ...approving };
        await bench.admin.post(`./documents/${document}/chat`, message);
      }
    }
    expect(await Promise.all(reviewed.map(({ url }) => read(url)))).toEqual(before);
    expect(Object.keys(outcomes)).toHaveLength(ways.length);
  },
);
