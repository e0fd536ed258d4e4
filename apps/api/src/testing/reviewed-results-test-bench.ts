import { scriptedLlm, type ScriptedStep } from '@docwright/agent-core/testing';
import type { LlmClient } from '@docwright/agent-core';
import type { Document, Extraction, Prompt, Run } from '@docwright/contract';
import { startJobs } from '../process/start-jobs.ts';
import { startTestApp, type TestApp } from './test-app.ts';
import type { TestAnswer } from './test-client.ts';

/** A document with a result, and the result's URL. */
interface ExtractedDocument {
  document: string;
  prompt: Prompt;
  url: string;
}

/** The application with its jobs, and results that the admin edits, verifies and extracts again. */
export interface ReviewedResultsTestBench extends TestApp {
  /** Sets the model's next tool calls; every extraction returns a new total. */
  script(...steps: ScriptedStep[]): void;
  extractDocument(): Promise<ExtractedDocument>;
  read(url: string): Promise<Extraction>;
  edit(url: string, value: string, base_version: number): Promise<TestAnswer<Extraction>>;
  verify(url: string): Promise<TestAnswer<Extraction>>;
  rerun(url: string, body?: object): Promise<TestAnswer<Extraction>>;
  /** Waits until the run has ended. */
  waitForRun(run: Run): Promise<Run>;
}

export async function startReviewedResultsTestBench(): Promise<ReviewedResultsTestBench> {
  let total = 0;
  let calls: ScriptedStep[] = [];
  const llm: LlmClient = {
    async *stream(request) {
      const isExtraction = request.tools === undefined || request.tools.length === 0;
      const step = isExtraction ? { text: JSON.stringify({ total: `${(total += 1)}` }) } : calls.shift();
      yield* scriptedLlm([step ?? { text: 'Done.' }]).stream(request);
    },
  };
  const app = await startTestApp({ llm });
  await startJobs(app.services);
  const { admin, services } = app;
  return {
    ...app,
    script(...steps) {
      calls = steps;
    },
    async extractDocument() {
      const content = Buffer.from('Total: 5').toString('base64');
      const { body } = await admin.post<{ documents: [Document] }>('./documents', {
        documents: [{ name: 'note.txt', content }],
      });
      const document = body.documents[0].id;
      for (let state = 'uploaded'; state !== 'ocr_completed';) {
        await services.documents.textReading.readAll(new AbortController().signal);
        state = (await admin.get<Document>(`./documents/${document}`)).body.state;
      }
      const prompt = (await admin.post<Prompt>('./prompts', { name: 'p', content: 'Total?' })).body;
      const { prompt_revid } = prompt;
      await admin.post(`./documents/${document}/extractions`, { prompt_revid });
      return { document, prompt, url: `./documents/${document}/extractions/${prompt_revid}` };
    },
    read: async (url) => (await admin.get<Extraction>(url)).body,
    edit: async (url, value, base_version) => admin.patch<Extraction>(url, { path: 'total', value, base_version }),
    verify: async (url) => admin.put<Extraction>(`${url}/verification`, { is_verified: true, seen: true }),
    rerun: async (url, body = {}) => {
      const [, , document, , prompt_revid] = url.split('/');
      return await admin.post<Extraction>(`./documents/${document}/extractions`, { prompt_revid, ...body });
    },
    async waitForRun({ id }) {
      for (;;) {
        const { body } = await admin.get<Run>(`./runs/${id}`);
        if (body.ended_at !== null) return body;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}
