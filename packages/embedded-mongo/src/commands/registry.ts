import { MongoError } from '../errors/mongo-error.ts';
import type { Reply } from '../wire/reply.ts';
import { aggregateCommands } from './aggregate.ts';
import { bulkWriteCommands } from './bulk-write.ts';
import { collectionCommands } from './collections.ts';
import type { ReceivedCommand, Handler } from './command.ts';
import { countCommands } from './count.ts';
import { deleteCommands } from './delete.ts';
import { distinctCommands } from './distinct.ts';
import { docwrightCommands } from './docwright-commands.ts';
import { findAndModifyCommands } from './find-and-modify.ts';
import { findCommands } from './find.ts';
import { handshakeCommands } from './handshake.ts';
import { indexCommands } from './indexes.ts';
import { insertCommands } from './insert.ts';
import { searchIndexCommands } from './search-indexes.ts';
import { updateCommands } from './update.ts';

const handlers = new Map<string, Handler>([
  ...aggregateCommands,
  ...bulkWriteCommands,
  ...collectionCommands,
  ...countCommands,
  ...deleteCommands,
  ...distinctCommands,
  ...docwrightCommands,
  ...findAndModifyCommands,
  ...findCommands,
  ...handshakeCommands,
  ...indexCommands,
  ...insertCommands,
  ...searchIndexCommands,
  ...updateCommands,
]);

/** Runs the command named by the first field. Throws CommandNotFound for an unknown name. */
export async function runCommand(context: ReceivedCommand): Promise<Reply> {
  const [name = ''] = context.command.keys();
  const handler = handlers.get(name);
  if (!handler) throw new MongoError(59, 'CommandNotFound', `no such command: '${name}'`);
  return handler(context);
}
