import type { Connection, mongo } from 'mongoose';
import { collectionsOfBulkWrite } from '../../platform/database/watch-writes.ts';

/** A command that the server sent, and the functions of this project that asked for it, the nearest first. */
export interface LoggedCommand {
  name: string;
  /** More than one for reads and writes that go together. */
  collections: string[];
  callers: string[];
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
    commands.push({ name: commandName, collections: collectionsOf(commandName, command), callers: callersOf(stack) });
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
