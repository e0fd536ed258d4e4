import { readFile } from 'node:fs/promises';
import type { Evaluation, EvaluationField, Prompt, ResponseFormat } from '@docwright/contract';
import type { Command } from 'commander';
import { percent } from '../chat/call-card.ts';
import { action, countOption, type Host } from '../context/action.ts';
import { signedIn, type CommandContext } from '../context/context.ts';
import { exitCodes, UsageError, type ExitCode } from '../context/exit-codes.ts';
import { resolvePrompt } from '../context/names.ts';
import { bar, createProgressLine } from '../terminal/progress-line.ts';
import { printableLine } from '../terminal/terminal-text.ts';

interface EvaluateOptions {
  prompt: string;
  content?: string;
  schema?: string;
  model?: string;
  examples?: number;
  maxBroken: number;
  maxDocuments?: number;
}

export function addEvaluationCommands(program: Command, host: Host): void {
  program
    .command('prompts')
    .summary('list prompts')
    .description('Lists the prompts of the organization, each in its newest version.')
    .action(action<[], object>(host, listPrompts));
  program
    .command('evaluate')
    .summary('measure a change to a prompt on verified documents')
    .description(
      'Extracts from verified documents with the changed prompt and compares the results. Changes nothing. Exits with 1 if more values break than --max-broken, as a check for prompts in a repository.',
    )
    .requiredOption('--prompt <prompt>', 'the prompt, by id or name')
    .option('--content <file>', 'a file with the changed instruction')
    .option('--schema <file>', 'a file with the changed schema: a response_format, or the JSON schema inside it')
    .option('--model <model>', 'another model')
    .option('--examples <n>', 'verified results of similar documents to show as examples, 0 to 5', wholeNumber)
    .option('--max-broken <n>', 'maximum number of broken values (0)', wholeNumber, 0)
    .option('--max-documents <n>', 'maximum number of measured documents (20)', countOption)
    .action(action<[], EvaluateOptions>(host, evaluate));

  program
    .command('accuracy')
    .summary('the accuracy of a prompt, by the corrections of users')
    .requiredOption('--prompt <prompt>', 'the prompt, by id or name')
    .action(action<[], { prompt: string }>(host, showAccuracy));
}

async function listPrompts(context: CommandContext): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const prompts: Prompt[] = [];
  for await (const prompt of client.prompts.listAll({}, { signal })) prompts.push(prompt);
  output.data(prompts);
  output.table(
    ['id', 'name', 'version'],
    prompts.map(({ prompt_id, name, prompt_version }) => [prompt_id, printableLine(name), String(prompt_version)]),
  );
  if (prompts.length === 0) output.note('No prompts. Ask the agent for one: docwright chat <document>');
}

async function evaluate(context: CommandContext, _: [], options: EvaluateOptions): Promise<ExitCode> {
  const { output, signal, stderr } = context;
  const client = await signedIn(context);
  const change = {
    ...(options.content !== undefined && { content: await read(options.content) }),
    ...(options.schema !== undefined && { response_format: formatOf(await read(options.schema), options.schema) }),
  };
  const body = {
    prompt_id: await resolvePrompt(client, options.prompt, signal),
    ...change,
    ...(options.model !== undefined && { model: options.model }),
    ...(options.examples !== undefined && { examples: { count: options.examples } }),
    ...(options.maxDocuments !== undefined && { max_documents: options.maxDocuments }),
  };
  const { documents, spu_estimated } = await client.evaluations.estimate(body, { signal });
  output.note(
    `Measuring ${documents} verified ${documents === 1 ? 'document' : 'documents'}, about ${spu_estimated} SPU.`,
  );
  const { id } = await client.evaluations.start(body, { signal });
  const line = createProgressLine(stderr, output.isLive);
  let last: Evaluation | undefined;
  try {
    for await (const { evaluation } of client.evaluations.events(id, { signal })) {
      last = evaluation;
      const { total, done, failed } = evaluation.documents;
      const { fixed, broken } = evaluation.totals;
      line.show(`${bar((done + failed) / total)} ${done + failed} of ${total}: ${fixed} fixed, ${broken} broken`);
    }
  } finally {
    line.clear();
  }
  if (last === undefined) return exitCodes.failed;
  output.data(last);
  output.table(['field', 'values', 'before', 'after', 'fixed', 'broken'], last.fields.map(fieldRow));
  output.print(summaryOf(last));
  for (const { document_id, message } of last.failures) output.note(`${document_id}: ${printableLine(message)}`);
  if (last.state !== 'completed') {
    return last.error?.code === 'budget_exhausted' ? exitCodes.budget : exitCodes.failed;
  }
  return last.totals.broken > options.maxBroken ? exitCodes.failed : exitCodes.ok;
}

async function showAccuracy(context: CommandContext, _: [], { prompt }: { prompt: string }): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const id = await resolvePrompt(client, prompt, signal);
  const accuracy = await client.evaluations.accuracy(id, { signal });
  output.data(accuracy);
  const { overall } = accuracy;
  if (overall.documents_verified === 0) {
    output.note('No result of this prompt is verified yet. Verify some results to measure its accuracy.');
    return;
  }
  output.table(
    ['field', 'documents', 'values', 'correct', 'accuracy'],
    accuracy.by_field.map((field) => [
      field.field,
      String(field.documents_verified),
      String(field.values),
      String(field.correct),
      percent(field.accuracy),
    ]),
  );
  for (const revision of accuracy.by_revision) {
    output.print(
      `version ${revision.version}: ${percent(revision.accuracy)} of ${documentsOf(revision.documents_verified)}`,
    );
  }
  output.print(
    `${percent(overall.accuracy)} of ${overall.values} values correct, ${overall.untouched} of ${documentsOf(overall.documents_verified)} without a correction`,
  );
}

const documentsOf = (count: number) => `${count} ${count === 1 ? 'document' : 'documents'}`;

const fieldRow = (field: EvaluationField): string[] => [
  field.field,
  String(field.values),
  percent(field.accuracy_before),
  percent(field.accuracy_after),
  String(field.fixed),
  String(field.broken),
];

/** For example "12 documents: 5 fixed, 0 broken, 96.1 % → 98.4 %". */
function summaryOf({ state, documents, totals, spu_used, error }: Evaluation): string {
  const { fixed, broken, accuracy_before, accuracy_after } = totals;
  const measured = `${documents.done} of ${documentsOf(documents.total)}`;
  const effect = `${fixed} fixed, ${broken} broken, ${percent(accuracy_before)} → ${percent(accuracy_after)}`;
  const why = state === 'completed' ? '' : ` (${state}${error ? `: ${printableLine(error.message)}` : ''})`;
  return `${measured}: ${effect}, ${spu_used} SPU${why}`;
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new UsageError(`The file ${printableLine(file)} cannot be read.`);
  }
}

function formatOf(text: string, file: string): ResponseFormat {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`The file ${printableLine(file)} is not JSON.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`The file ${printableLine(file)} contains no schema.`);
  }
  // The server validates the format.
  if ('json_schema' in value) return value as ResponseFormat;
  return {
    type: 'json_schema',
    json_schema: { name: 'candidate', strict: true, schema: value as Record<string, unknown> },
  };
}

function wholeNumber(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 0) throw new UsageError(`"${value}" is not a whole number of at least 0.`);
  return count;
}
