import { isTraced, traceEnded } from '@docwright/agent-core';
import { SpanKind } from '@opentelemetry/api';
import type { Connection } from 'mongoose';

/** A span for a command, below the work that sent it. What runs in no trace, such as the polls of the queue, has none. */
export function traceCommand(command: string, outcome: 'ok' | 'failed', seconds: number): void {
  if (!isTraced()) return;
  traceEnded({
    name: `db ${command}`,
    kind: SpanKind.CLIENT,
    startTime: Date.now() - seconds * 1_000,
    attributes: { 'db.system.name': 'mongodb', 'db.operation.name': command, 'docwright.outcome': outcome },
  });
}

/** Calls `onAnswer` with the name and duration of each command that the database has answered. */
export function watchCommands(
  connection: Connection,
  onAnswer: (command: string, outcome: 'ok' | 'failed', seconds: number) => void,
): void {
  const client = connection.getClient();
  client.on('commandSucceeded', ({ commandName, duration }) => onAnswer(commandName, 'ok', duration / 1_000));
  client.on('commandFailed', ({ commandName, duration }) => onAnswer(commandName, 'failed', duration / 1_000));
}
