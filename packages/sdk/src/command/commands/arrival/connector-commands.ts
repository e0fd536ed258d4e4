import type { createSourceBody } from '@docwright/contract';
import type { Command } from 'commander';
import type { z } from 'zod';
import { action, listOption, type Host } from '../../context/action.ts';
import { signedIn, type CommandContext } from '../../context/context.ts';
import { UsageError } from '../../context/exit-codes.ts';
import { resolveTags } from '../../context/names.ts';
import { printableLine } from '../../terminal/terminal-text.ts';
import { readJsonFile } from './json-file.ts';

type Connector = NonNullable<z.input<typeof createSourceBody>['connector']>;

interface SecretOptions {
  secret?: true;
}

interface ConnectOptions extends SecretOptions {
  every?: string;
  tag?: string[];
  off?: true;
  neverToModel?: true;
}

const example = '{ "kind": "folder", "config": { "path": "/inlet/scans" } }';
const secretText = 'asks for the secret key, password or refresh token without echo; piped input is read instead';

/** Sources that fill themselves. For admins. */
export function addConnectorCommands(sources: Command, host: Host): void {
  sources
    .command('test')
    .argument('<file>', 'JSON of the connector')
    .summary('try a connector: its first files')
    .description(`Connects and lists the first files; nothing is taken. A connector is ${example}.`)
    .option('--secret', secretText)
    .action(action<[string], SecretOptions>(host, testConnector));
  sources
    .command('connect')
    .argument('<name>')
    .argument('<file>', 'JSON of the connector')
    .summary('create a source that fills itself: a folder, a bucket or a mailbox')
    .description(`Files become documents, each once. A connector is ${example}, or of the kind s3 or imap.`)
    .option('--secret', secretText)
    .option('--every <interval>', 'how often its files are looked at: 15m (default), 1h, 1d')
    .option('--tag <name>', 'its documents get this tag; may be repeated', listOption)
    .option('--never-to-model', 'its documents are kept from all models')
    .option('--off', 'its files are not looked at before it is switched on')
    .action(action<[string, string], ConnectOptions>(host, connectSource));
}

/** The connector of the file, with the secret that the user types or pipes. A secret is never an argument. */
async function connectorIn(context: CommandContext, file: string, { secret }: SecretOptions): Promise<Connector> {
  const connector = await readJsonFile(context, file);
  if (typeof connector !== 'object' || connector === null || Array.isArray(connector)) {
    throw new UsageError(`${file} is no connector. It is an object: ${example}.`);
  }
  if (secret !== true) return connector as Connector;
  if (file === '-') throw new UsageError('Standard input is either the connector or its secret. Name a file.');
  const typed = (await context.asker.askSecret('Secret: '))?.trim() ?? '';
  if (typed === '') throw new UsageError('No secret was given.');
  return { ...connector, secret: typed } as unknown as Connector;
}

async function testConnector(context: CommandContext, [file]: [string], options: SecretOptions): Promise<void> {
  const { output, signal } = context;
  const connector = await connectorIn(context, file, options);
  const tested = await (await signedIn(context)).sources.test({ connector }, { signal });
  output.data(tested);
  output.table(
    ['bytes', 'file'],
    tested.files.map(({ name, size_bytes }) => [String(size_bytes), printableLine(name)]),
  );
  output.note(tested.files.length === 0 ? 'It works. There are no files at the moment.' : 'It works.');
}

async function connectSource(
  context: CommandContext,
  [name, file]: [string, string],
  { every, tag, off, neverToModel, ...secret }: ConnectOptions,
): Promise<void> {
  const { output, signal } = context;
  const connector = await connectorIn(context, file, secret);
  const client = await signedIn(context);
  const source = await client.sources.create(
    {
      name,
      connector,
      ...(every !== undefined && { every }),
      ...(off && { enabled: false }),
      ...(neverToModel && { never_to_model: true }),
      ...(tag && { tag_ids: await resolveTags(client, tag, signal) }),
    },
    { signal },
  );
  output.data(source);
  output.print(source.id);
  output.note(`Its files are looked at now. Follow it: docwright sources status ${source.id}`);
}
