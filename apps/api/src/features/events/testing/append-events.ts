import mongoose from 'mongoose';
import { connectDatabase } from '../../../platform/database/connection.ts';
import { createEventLog, outboxEvent } from '../../event-log/event-log-repository.ts';

/** A process with several writers that append events one after another, for tests of several processes. */
const [uri = '', organizationId = '', writers = '', each = ''] = process.argv.slice(2);
const connection = await connectDatabase(uri);
const log = createEventLog(connection);
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
await Promise.all(
  Array.from({ length: Number(writers) }, async () => {
    for (let at = 0; at < Number(each); at += 1) {
      const data = { run_id: new mongoose.Types.ObjectId().toHexString() };
      await log.append(organizationId, [{ ...outboxEvent('run.completed'), data }]);
    }
  }),
);
await connection.close();
process.stdin.destroy();
