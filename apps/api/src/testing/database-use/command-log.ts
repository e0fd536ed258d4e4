import type { Connection, mongo } from 'mongoose';
import { collectionsOfBulkWrite } from '../../platform/database/watch-writes.ts';

/** A command that the server sent, and the functions of this project that asked for it, the nearest first. */
export interface LoggedCommand {
  name: string;
  /** More than one for reads and writes that go together. */
  collections: string[];
  /** What the command asks of records that exist, one for each read and write. */
  filters: LoggedFilter[];
  callers: string[];
}

export interface LoggedFilter {
  collection: string;
  filter: mongo.Document;
}

/** Commands that keep the connection and concern no record. */
const ofConnection = new Set(['hello', 'ping', 'endSessions', 'killCursors']);

/** Records the commands of a connection until `stop` is called. */
export function logCommands(connection: Connection): { commands: LoggedCommand[]; stop(): void } {
  const commands: LoggedCommand[] = [];
  const client = connection.getClient();
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const record = ({ commandName, command }: mongo.CommandStartedEvent): void => {
    if (ofConnection.has(commandName)) return;
    const { stack = '' } = new Error('the place of the command');
    commands.push({
      name: commandName,
      collections: collectionsOf(commandName, command),
      filters: filtersOf(commandName, command),
      callers: callersOf(stack),
    });
  };
  client.on('commandStarted', record);
  return {
    commands,
    stop() {
      Error.stackTraceLimit = limit;
      client.off('commandStarted', record);
    },
  };
}

function collectionsOf(name: string, command: mongo.Document): string[] {
  if (name === 'bulkWrite') return collectionsOfBulkWrite(command);
  const stages = (command['pipeline'] ?? []) as mongo.Document[];
  return [String(command[name]), ...stages.flatMap((stage) => stage['$unionWith']?.coll ?? [])];
}

function filtersOf(name: string, command: mongo.Document): LoggedFilter[] {
  if (name === 'insert' || name === 'getMore') return [];
  const collection = String(command[name]);
  const of = (filters: mongo.Document[]) => filters.map((filter) => ({ collection, filter }));
  if (name === 'update') return of(command['updates'].map(({ q }: mongo.Document) => q));
  if (name === 'delete') return of(command['deletes'].map(({ q }: mongo.Document) => q));
  if (name === 'aggregate') return filtersOfPipeline(collection, command['pipeline']);
  if (name !== 'bulkWrite') return of([command['filter'] ?? command['query'] ?? {}]);
  const operations = command['ops'] as mongo.Document[];
  return operations.flatMap(({ update, delete: removal, filter }) => {
    const index: number | undefined = update ?? removal;
    if (index === undefined) return [];
    const namespace: string = command['nsInfo'][index].ns;
    return [{ collection: namespace.slice(namespace.indexOf('.') + 1), filter }];
  });
}

function filtersOfPipeline(collection: string, pipeline: readonly mongo.Document[]): LoggedFilter[] {
  const joined = pipeline.flatMap(({ $unionWith }) =>
    $unionWith ? filtersOfPipeline($unionWith.coll, $unionWith.pipeline ?? []) : [],
  );
  const [first] = pipeline;
  return [{ collection, filter: first?.['$match'] ?? first?.['$vectorSearch']?.filter ?? {} }, ...joined];
}

const frame =
  /at (?:async )?(?:(?<name>[^\n(]+?) )?\(?(?:file:\/\/)?[^\n(]*\/apps\/api\/src\/(?<file>[^\n:]+):(?<line>\d+):\d+\)?/gu;

function callersOf(stack: string): string[] {
  return [...stack.matchAll(frame)].flatMap(({ groups }) => {
    const { file = '', line = '', name = '' } = groups ?? {};
    return file.startsWith('testing/') ? [] : [`${file}:${line} ${name}`.trim()];
  });
}

/** A line for each command, for the message of a test that fails. */
export function linesOf(commands: readonly LoggedCommand[]): string {
  return commands
    .map(({ name, collections, callers }) => `${name} ${collections.join(', ')} ← ${callers.slice(0, 2).join(' ← ')}`)
    .map((line, index) => `\n${index + 1}. ${line}`)
    .join('');
}
