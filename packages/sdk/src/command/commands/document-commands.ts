import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Document, Tag } from '@docwright/contract';
import type { Command } from 'commander';
import type { DocumentQuery } from '../../areas/documents.ts';
import { action, countOption, listOption, type Host } from '../context/action.ts';
import { signedIn, type CommandContext } from '../context/context.ts';
import { UsageError } from '../context/exit-codes.ts';
import { resolveDocument, resolveTags } from '../context/names.ts';
import { minuteOf } from '../terminal/output.ts';
import { printable, printableLine } from '../terminal/terminal-text.ts';

interface ListOptions {
  search?: string;
  tag?: string[];
  state?: string;
  limit?: number;
}

export function addDocumentCommands(program: Command, host: Host): void {
  program
    .command('documents')
    .summary('list documents')
    .description('Lists documents, the newest first.')
    .option('--search <text>', 'only documents with this text in their name')
    .option('--tag <name>', 'only documents with this tag; may be repeated', listOption)
    .option('--state <state>', 'only documents in this state, for example ocr_completed')
    .option('--limit <n>', 'maximum number of documents (50)', countOption)
    .action(action<[], ListOptions>(host, listDocuments));

  program
    .command('text')
    .argument('<document>', 'id or name')
    .summary('print the text of a document')
    .option('--page <n>', 'only this page, from 1', countOption)
    .action(action<[string], { page?: number }>(host, showText));

  program
    .command('download')
    .argument('<document>', 'id or name')
    .argument('[file]', 'where to save it; - for standard output (default: its name on the server)')
    .summary('save the original file of a document')
    .action(action<[string, string | undefined], object>(host, download));

  const tags = program.command('tags').summary('list and create tags').action(action(host, listTags));
  tags
    .command('create')
    .argument('<name>')
    .option('--color <color>', '#rrggbb')
    .option('--description <text>')
    .option('--never-to-model', 'documents with it are kept from all models')
    .action(action<[string], TagOptions>(host, createTag));
}

interface TagOptions {
  color?: string;
  description?: string;
  neverToModel?: true;
}

async function listDocuments(context: CommandContext, _: [], options: ListOptions): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const limit = options.limit ?? 50;
  const query: DocumentQuery = {
    ...(options.search !== undefined && { name_search: options.search }),
    ...(options.tag && { tag_ids: await resolveTags(client, options.tag, signal) }),
    // The server lists the valid states.
    ...(options.state !== undefined && { state: options.state as Document['state'] }),
    limit: Math.min(limit, 100),
  };
  const documents: Document[] = [];
  for await (const document of client.documents.listAll(query, { signal })) {
    documents.push(document);
    if (documents.length >= limit) break;
  }
  output.data({ documents });
  output.table(
    ['id', 'name', 'state', 'pages', 'proposal', 'uploaded'],
    documents.map((document) => [
      document.id,
      document.document_name,
      stateOf(document),
      String(document.page_count ?? ''),
      document.auto_create?.status ?? '',
      minuteOf(document.upload_date),
    ]),
  );
  if (documents.length === 0) output.note('No documents. Upload some with: docwright upload <files…>');
}

/** The state, with what else has to be known about the document. */
function stateOf({ state, incomplete_results, unread, duplicate_of, results }: Document): string {
  const more = [
    ...(duplicate_of === undefined ? [] : ['duplicate']),
    ...(unread === undefined ? [] : ['read in part']),
    ...(incomplete_results ? ['incomplete'] : []),
    ...(results !== undefined && results.to_check > 0 ? [`${results.to_check} to check`] : []),
  ];
  return [state, ...more].join(', ');
}

async function showText(context: CommandContext, [wanted]: [string], { page }: { page?: number }): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const { id, unread = [] } = await resolveDocument(client, wanted, signal);
  const text = await client.documents.text(id, page, { signal });
  output.data(text);
  output.print(text.pages.map((found) => printable(found.text)).join('\n\n'));
  for (const part of unread.filter(({ page_num }) => page === undefined || page_num === page)) {
    const place = [part.page_num === undefined ? [] : `page ${part.page_num}`, part.name ?? []].flat().join(', ');
    output.note(`Not read${place === '' ? '' : ` (${printableLine(place)})`}: ${printableLine(part.message)}`);
  }
}

async function download(context: CommandContext, [wanted, target]: [string, string | undefined]): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const { id, document_name } = await resolveDocument(client, wanted, signal);
  const toStdout = target === '-';
  if (toStdout && output.json) throw new UsageError('--json and - both write to standard output. Use one of them.');
  const { body } = await client.documents.file(id, { signal });
  if (body === null) throw new UsageError('The server sent no file.');
  // The server strips folders and control characters from names.
  const place = target ?? document_name;
  const sink = toStdout ? context.stdout : createWriteStream(place, { flags: target === undefined ? 'wx' : 'w' });
  await pipeline(Readable.fromWeb(body), sink, { signal, end: !toStdout }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new UsageError(`${printableLine(place)} already exists. Name another file.`);
  });
  if (!toStdout) output.note(`Saved as ${printableLine(place)}.`);
  output.data({ document_id: id, file: place });
}

async function listTags(context: CommandContext): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const tags: Tag[] = [];
  for await (const tag of client.tags.listAll({}, { signal })) tags.push(tag);
  output.data({ tags });
  output.table(
    ['id', 'name', 'description'],
    tags.map(({ tag_id, name, description }) => [tag_id, name, description]),
  );
  if (tags.length === 0) output.note('No tags. Create one with: docwright tags create <name>');
}

async function createTag(
  context: CommandContext,
  [name]: [string],
  { color, description, neverToModel }: TagOptions,
): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const body = {
    name,
    ...(color !== undefined && { color }),
    ...(description !== undefined && { description }),
    ...(neverToModel && { never_to_model: true }),
  };
  const tag = await client.tags.create(body, { signal });
  output.data(tag);
  output.note(`Created the tag ${printableLine(tag.name)}.`);
  output.print(tag.tag_id);
}
