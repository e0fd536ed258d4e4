import type { Connection } from 'mongoose';
import { newId, objectIdOf } from '../../database/object-id.ts';
import { thisProcess } from '../process-identity.ts';
import type { LeaseUse } from './lease-suite.ts';

/** Completes a use of the lease at `path`, on the one record of a collection. */
export async function leaseOnRecord<Claimed>(
  connection: Connection,
  name: string,
  record: object,
  use: Omit<LeaseUse<Claimed>, 'expire'>,
  path: string | { until: string; holder: string } = 'lease',
): Promise<LeaseUse<Claimed> & { killHolder(): Promise<void> }> {
  const collection = connection.collection(name);
  await collection.deleteMany({});
  await collection.insertOne(record);
  const { until, holder } = typeof path === 'string' ? { until: `${path}.until`, holder: `${path}.holder` } : path;
  const set = async (field: string, value: unknown) =>
    void (await collection.updateOne({}, { $set: { [field]: value } }));
  return {
    ...use,
    expire: () => set(until, new Date(0)),
    killHolder: () => set(holder, { ...thisProcess, instance: 'killed' }),
  };
}

export const objectId = () => objectIdOf(newId())!;
export const recordIds = () => ({ _id: objectId(), organization_id: objectId(), requested_by: objectId() });

/** A newly uploaded document. */
export const documentRecord = () => ({
  ...recordIds(),
  document_name: 'x.pdf',
  mime_type: 'application/pdf',
  file_id: objectId(),
  deleted_at: null,
  upload_date: new Date(),
  attempts: 0,
});
