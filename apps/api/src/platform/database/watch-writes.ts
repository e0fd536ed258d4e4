import type { Connection, mongo } from 'mongoose';

/** Commands that write, by their name in the protocol. */
const writes = new Set(['insert', 'update', 'delete', 'findAndModify', 'findandmodify']);

/** Calls `onWrite` with the name of the collection after each write of this process that changed something. Returns the stop. */
export function watchWrites(connection: Connection, onWrite: (collection: string) => void): () => void {
  /** The collections of writes without an answer yet, by the driver's number of the command. */
  const unanswered = new Map<number, string[]>();
  const client = connection.getClient();
  const started = ({ commandName, command, requestId }: mongo.CommandStartedEvent) => {
    if (writes.has(commandName)) unanswered.set(requestId, [String(command[commandName])]);
    else if (commandName === 'bulkWrite') unanswered.set(requestId, collectionsOfBulkWrite(command));
  };
  const succeeded = ({ requestId, reply }: mongo.CommandSucceededEvent) => {
    const collections = unanswered.get(requestId);
    if (collections === undefined) return;
    unanswered.delete(requestId);
    if (hasChanged(reply)) for (const collection of collections) onWrite(collection);
  };
  const failed = ({ requestId }: mongo.CommandFailedEvent) => void unanswered.delete(requestId);
  client.on('commandStarted', started).on('commandSucceeded', succeeded).on('commandFailed', failed);
  return () => {
    client.off('commandStarted', started).off('commandSucceeded', succeeded).off('commandFailed', failed);
  };
}

/** The answer does not say which of them were changed. */
export function collectionsOfBulkWrite({ nsInfo }: mongo.Document): string[] {
  return (nsInfo as { ns: string }[]).map(({ ns }) => ns.replace(/^[^.]*\./u, ''));
}

/** Whether a write found anything to change, from the answer to its command. */
function hasChanged(reply: unknown): boolean {
  const { n, lastErrorObject } = Object(reply) as { n?: number; lastErrorObject?: { n?: number } };
  return (lastErrorObject?.n ?? n) !== 0;
}
