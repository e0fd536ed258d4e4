import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pageUnit, type Document } from '@docwright/contract';
import type { Command } from 'commander';
import { glob, isDynamicPattern } from 'tinyglobby';
import { DocwrightError } from '../../client/docwright-error.ts';
import type { Docwright } from '../../create-docwright.ts';
import { action, listOption, onAskOf, type Host } from '../context/action.ts';
import { signedIn, type CommandContext } from '../context/context.ts';
import { exitCodeOf, exitCodes, UsageError, type ExitCode } from '../context/exit-codes.ts';
import { resolveTags } from '../context/names.ts';
import { bar, createProgressLine, readableBytes } from '../terminal/progress-line.ts';
import { printableLine } from '../terminal/terminal-text.ts';
import { waitForDocument } from './wait-for-document.ts';

interface UploadOptions {
  autoCreate?: boolean;
  park?: boolean;
  attachments?: boolean;
  tag?: string[];
  wait?: true;
}

interface Failed {
  file: string;
  error: { code: string; message: string; status: number };
}

/** More concurrent uploads would only share the same bandwidth. */
const maxConcurrentUploads = 3;

export function addUploadCommand(program: Command, host: Host): void {
  program
    .command('upload')
    .argument('<files...>', 'files, or patterns such as "invoices/**/*.pdf"')
    .summary('upload documents')
    .description('Uploads files independently: if one is refused, the others are still uploaded.')
    .option('--auto-create', 'let the agent propose a schema, a prompt and an extraction')
    .option('--no-auto-create', 'do not let it propose, whatever the organization’s setting')
    .option('--park', 'calls of the proposal that need approval wait in the inbox')
    .option('--no-park', 'calls of the proposal that need approval are denied, whatever the organization’s setting')
    .option('--no-attachments', 'files of mails and archives are named and do not become documents')
    .option('--tag <name>', 'a tag to set, by name or id; may be repeated', listOption)
    .option('--wait', 'wait until the text is read, and with --auto-create until the proposal is finished')
    .action(action<[string[]], UploadOptions>(host, upload));
}

async function upload(context: CommandContext, [patterns]: [string[]], options: UploadOptions): Promise<ExitCode> {
  const { output, signal } = context;
  const files = await filesOf(patterns);
  const client = await signedIn(context);
  const tag_ids = options.tag && (await resolveTags(client, options.tag, signal));
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const sent = files.map(() => 0);
  const line = createProgressLine(context.stderr, output.isLive);
  const documents: Document[] = [];
  const failed: Failed[] = [];
  let firstError: unknown;

  const showProgress = (file: string) => {
    const loaded = sent.reduce((sum, size) => sum + size, 0);
    const fraction = total === 0 ? 1 : loaded / total;
    const done = documents.length + failed.length;
    const count = files.length === 1 ? '' : ` ${done} of ${files.length}`;
    line.show(`${bar(fraction)} ${Math.floor(fraction * 100)} %${count} ${printableLine(path.basename(file))}`);
  };

  async function uploadOne(at: number): Promise<void> {
    const file = files[at]!;
    try {
      const uploaded = await client.documents.upload(file, {
        ...(tag_ids && { tag_ids }),
        ...(options.autoCreate !== undefined && { auto_create: options.autoCreate }),
        ...onAskOf(options),
        ...(options.attachments === false && { include_attachments: false }),
        signal,
        onProgress({ loaded }) {
          sent[at] = loaded;
          showProgress(file);
        },
      });
      const document = options.wait === true ? await wait(context, client, uploaded, line.show, options) : uploaded;
      documents.push(document);
      line.keep(`${output.style('green', '✓')} ${describe(document)}`);
      output.print(document.id);
    } catch (error) {
      if (signal.aborted || !(error instanceof DocwrightError)) throw error;
      firstError ??= error;
      const { code, message, status } = error;
      failed.push({ file, error: { code, message, status } });
      line.keep(`${output.style('red', '✗')} ${printableLine(file)}: ${printableLine(message)}`);
    }
  }

  let next = 0;
  const worker = async () => {
    while (next < files.length) await uploadOne(next++);
  };
  try {
    await Promise.all(Array.from({ length: Math.min(maxConcurrentUploads, files.length) }, worker));
  } finally {
    line.clear();
  }
  output.data({ documents, failed });
  if (failed.length === 0) return exitCodes.ok;
  return documents.length === 0 && files.length === 1 ? exitCodeOf(firstError) : exitCodes.failed;
}

/** Every file once, in the given order. An existing path is never treated as a pattern. */
async function filesOf(patterns: readonly string[]): Promise<string[]> {
  const files = new Map<string, string>();
  // One file can match several arguments.
  const add = (file: string) => files.set(path.resolve(file), file);
  for (const pattern of patterns) {
    const found = await stat(pattern).catch(() => undefined);
    if (found?.isFile() === true) {
      add(pattern);
      continue;
    }
    const shown = printableLine(pattern);
    if (found?.isDirectory() === true) {
      throw new UsageError(`${shown} is a folder. Name the files in it, for example "${path.join(shown, '*')}".`);
    }
    if (!isDynamicPattern(pattern)) {
      const message = `${shown} does not exist.`;
      throw new DocwrightError({ code: 'unreadable_file', message });
    }
    const matching = await glob(pattern.replaceAll(path.sep, '/'), { onlyFiles: true });
    if (matching.length === 0)
      throw new DocwrightError({ code: 'unreadable_file', message: `${shown} matches no file.` });
    for (const file of matching.toSorted()) add(file);
  }
  return [...files.values()];
}

async function wait(
  { signal }: CommandContext,
  client: Docwright,
  document: Document,
  show: (text: string) => void,
  { autoCreate }: UploadOptions,
): Promise<Document> {
  const name = printableLine(document.document_name);
  return await waitForDocument(client, document.id, signal, (state) => show(`${name}: ${state}`), {
    expectsProposal: autoCreate === true,
  });
}

function describe({ document_name, mime_type, size_bytes, page_count, state }: Document): string {
  const pages = page_count === null ? '' : `, ${page_count} ${pageUnit(mime_type)}${page_count === 1 ? '' : 's'}`;
  return `${printableLine(document_name)} (${readableBytes(size_bytes)}${pages}) ${state}`;
}
