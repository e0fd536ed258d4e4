import type { Connection } from 'mongoose';

/** Calls `onAnswer` with the name and duration of each command that the database has answered. */
export function watchCommands(
  connection: Connection,
  onAnswer: (command: string, outcome: 'ok' | 'failed', seconds: number) => void,
): void {
  const client = connection.getClient();
  client.on('commandSucceeded', ({ commandName, duration }) => onAnswer(commandName, 'ok', duration / 1_000));
  client.on('commandFailed', ({ commandName, duration }) => onAnswer(commandName, 'failed', duration / 1_000));
}
