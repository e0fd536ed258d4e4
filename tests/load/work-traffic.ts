import { setTimeout as sleep } from 'node:timers/promises';
import type { Run } from '@docwright/contract';
import { createDocwright, type Docwright } from '@docwright/sdk';
import { ObjectId } from 'mongodb';
import type { Laboratory } from './laboratory.ts';
import type { Report } from './report.ts';

/** Runs of documents, their results and exports, beside stories. */
export interface WorkTraffic {
  /** Runs what has no result yet, and looks at results and exports, one after the other, until it is over. */
  go(isOver: () => boolean): Promise<void>;
  /** Runs the rest. Then each document with a text has one result, and exports have all. */
  finish(): Promise<void>;
}

const patienceMs = 180_000;
const formats = ['csv', 'ndjson', 'xlsx'] as const;

export async function createWorkTraffic(laboratory: Laboratory, report: Report): Promise<WorkTraffic> {
  const { url: baseUrl, token, organizationId } = laboratory;
  const docwright = createDocwright({ baseUrl, token, organizationId, retries: 6 });
  const { prompt_id: promptId } = await docwright.prompts.create({ name: 'Totals', content: 'Read the total.' });
  const schedule = await docwright.schedules.create({
    name: 'What has no result',
    every: '1d',
    action: 'run_extraction',
    prompt_id: promptId,
    filter: { without_result: true },
  });

  /** A client that asks again while processes come and go. */
  async function persist<Answer>(kind: string, ask: () => Promise<Answer>): Promise<Answer> {
    for (const until = Date.now() + patienceMs; ; await sleep(500)) {
      try {
        return await ask();
      } catch (error) {
        if (Date.now() > until) throw error;
        report.retried(kind, error instanceof Error ? error.message.slice(0, 60) : String(error));
      }
    }
  }

  async function runAll(): Promise<Run> {
    const { id } = await persist('run', () => docwright.schedules.run(schedule.id));
    for (;;) {
      const run = await persist('run', () => docwright.runs.get(id));
      if (!['queued', 'running'].includes(run.state)) return run;
      await sleep(250);
    }
  }

  const rowsOf = async (client: Docwright, format: (typeof formats)[number]): Promise<string> =>
    (await client.results.export(promptId, format)).text();

  return {
    async go(isOver) {
      while (!isOver()) {
        const run = await report.time('run of documents', runAll);
        if (run.failed > 0) report.problem(`${run.failed} documents of a run failed`);
        await report.time('results', () => persist('results', () => docwright.results.list(promptId)));
        await report.time('totals', () => persist('totals', () => docwright.results.summary(promptId)));
        for (const format of formats) {
          await report.time(`export as ${format}`, () => persist('export', () => rowsOf(docwright, format)));
        }
        await sleep(500);
      }
    },
    async finish() {
      await runAll();
      const organization_id = new ObjectId(organizationId);
      const read = { organization_id, deleted_at: null, duplicate_of: null };
      const documents = await laboratory.db.collection('documents').countDocuments(read);
      const results = await laboratory.db
        .collection('extractions')
        .find({ organization_id, prompt_id: promptId })
        .toArray();
      const distinct = new Set(results.map(({ document_id }) => String(document_id)));
      if (distinct.size !== documents || results.length !== documents) {
        report.problem(`${documents} documents have ${results.length} results, of ${distinct.size} documents`);
      }
      const lines = (await persist('export', () => rowsOf(docwright, 'ndjson'))).trim().split('\n');
      if (lines.length !== documents) report.problem(`the export has ${lines.length} of ${documents} results`);
    },
  };
}
