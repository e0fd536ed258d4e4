import { expect, it } from 'vitest';
import { historyIn, scriptedLlm, type ScriptedStep } from '../../testing/scripted-llm.ts';
import { practiceTask } from '../../testing/sub-agent-task.ts';
import { analyzeSource } from './analyze-source.ts';
import { maxSampled } from './findings.ts';
import type { SourceFiles } from './services.ts';

const files = 1000;
const parsers = [{ id: 'plain', kind: 'parser' as const, name: 'Plain text', description: 'Text', config_schema: {} }];

/** A source of a thousand files that counts reads. */
function largeSource() {
  const read = new Set<string>();
  let reads = 0;
  const readOne = (id: string) => {
    reads += 1;
    read.add(id);
  };
  const source: SourceFiles = {
    kinds: async () => [
      { extension: 'txt', mime_type: 'text/plain', files, pages: files, size_bytes: 10 * files, unread: 0, reading: 0 },
    ],
    problems: async () => ({ unreadable: [], copies: [] }),
    sample: async (most) =>
      Array.from({ length: most }, (_, at) => ({
        document_id: `${at}`,
        name: `${at}.txt`,
        extension: 'txt',
        pages: 1,
      })),
    async tryParser(id) {
      readOne(id);
      return { success: true, pages: 1, characters: 4, excerpt: 'text' };
    },
    async text(id) {
      readOne(id);
      return 'Invoice of the month';
    },
    parsers: () => parsers,
    usualParser: () => 'plain',
  };
  return { source, read, reads: () => reads };
}

const call = (name: string, args: Record<string, unknown> = {}) => ({ name, args });
const answer: ScriptedStep = {
  text: JSON.stringify({ success: true, data: {}, uncertainties: [], summary: 'A thousand texts.' }),
};

it('reads only the sampled files of a thousand, whatever the model calls', async () => {
  const { source, read, reads } = largeSource();
  const everyFile = Array.from({ length: files }, (_, at) => `${at}`);
  const llm = scriptedLlm([
    { calls: [call('sample_files', { max_files: 30 })] },
    { calls: [call('sample_files', { max_files: 1000 })] },
    { calls: everyFile.map((document_id) => call('try_parser', { document_id, plugin_id: 'plain' })) },
    answer,
  ]);
  const result = await analyzeSource(source, practiceTask(llm));
  expect(result).toMatchObject({ success: true, data: { total_files: files, sampled_files: maxSampled } });
  expect(read.size).toBe(maxSampled);
  expect(reads()).toBe(2 * maxSampled);
});

it('emits its steps, and returns its findings at the time limit', async () => {
  const steps: string[] = [];
  const llm = scriptedLlm([
    { calls: [call('try_parser', { document_id: '0', plugin_id: 'plain' })] },
    { text: 'Hm', hangs: true },
  ]);
  const task = practiceTask(llm, { timeoutMs: 200, emitStep: ({ message }) => steps.push(message) });
  expect(await analyzeSource(largeSource().source, task)).toMatchObject({
    success: false,
    data: { total_files: files, parser_trials: expect.arrayContaining([expect.objectContaining({ success: true })]) },
    summary: expect.stringContaining('time limit'),
  });
  expect(steps).toEqual(['Counts the files', 'Chooses files to look at', 'Tries Plain text on 0.txt']);
});

it('starts with the counts and a sample, and sends both in its first request', async () => {
  const llm = scriptedLlm([answer]);
  const { source, reads } = largeSource();
  const { data } = await analyzeSource(source, practiceTask(llm));
  const [sampled, counted] = historyIn(llm.requests[0]).toReversed();
  expect(counted?.content).toContain('"total_files":1000');
  expect(sampled?.content).toContain('"language":"und","parser":"plain","characters":4,"excerpt":"text"');
  // Each file is read twice: its text for the language, and by its parser.
  expect(reads()).toBe(2 * 12);
  expect(data).toMatchObject({ sampled_files: 12, parser_trials: expect.objectContaining({ length: 12 }) });
});

it('is offered to find out the languages of several files with one call', async () => {
  const { source } = largeSource();
  const asked: { offered: string[]; results: string[] }[] = [];
  const note =
    (step: ScriptedStep) => (request: Parameters<Extract<ScriptedStep, (...args: never[]) => unknown>>[0]) => {
      asked.push({
        offered: (request.tools ?? []).map((tool) => tool.function.name),
        results: request.messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : [])),
      });
      return typeof step === 'function' ? step(request) : step;
    };
  const calls = [
    call('detect_language', { document_ids: ['0', '1', '0'] }),
    call('detect_language', { document_ids: ['x'] }),
  ];
  await analyzeSource(source, practiceTask(scriptedLlm([note({ calls }), note(answer)])));
  expect(asked[0]!.offered).toContain('detect_language');
  const [several, unknown] = asked[1]!.results.slice(-2).map((content) => JSON.parse(content) as object);
  const languages = ['0', '1'].map((document_id) => ({ document_id, language: expect.any(String) }));
  expect(several).toEqual({ languages });
  expect(unknown).toHaveProperty('error');
});

it('counts the patterns of sampled files and the labels that they share, and names no type', async () => {
  const texts = [
    'Invoice number: R-7\nDate: 03.11.2026\nPaper   2   4.50\nInk     1   1,203.00\nTotal: 1,207.50',
    'INVOICE NUMBER: R-8\nA sentence: about 3.5 things of 1.2.3.4',
    '1. Parties\n1.1 The seller\n§ 2 Price\n(a) Duties',
  ];
  const { source } = largeSource();
  const results: string[] = [];
  const llm = scriptedLlm([
    {
      calls: [
        call('detect_patterns', { document_ids: ['0', '1', '2'] }),
        call('detect_patterns', { document_ids: ['x'] }),
      ],
    },
    (request) => {
      results.push(...request.messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : [])));
      return answer;
    },
  ]);
  await analyzeSource({ ...source, text: async (id) => texts[Number(id)] ?? '' }, practiceTask(llm));
  const [found, unknown] = results.slice(-2).map((content) => JSON.parse(content) as object);
  expect(found).toEqual({
    shared_labels: [{ label: 'invoice number', files: 2 }],
    files: [
      {
        document_id: '0',
        labels: ['invoice number', 'date', 'total'],
        dates: 1,
        amounts: 3,
        table_rows: 2,
        clauses: 0,
      },
      { document_id: '1', labels: ['invoice number', 'a sentence'], dates: 0, amounts: 0, table_rows: 0, clauses: 0 },
      { document_id: '2', labels: [], dates: 0, amounts: 0, table_rows: 0, clauses: 4 },
    ],
  });
  expect(unknown).toHaveProperty('error');
});
