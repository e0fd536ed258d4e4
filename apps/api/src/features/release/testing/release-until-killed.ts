import { connectDatabase } from '../../../platform/database/connection.ts';
import { createEventLog } from '../../event-log/event-log-repository.ts';
import { createExtractionRepositories } from '../../extractions/index.ts';
import { createReleases } from '../release-repository.ts';

/** Releases the versions of a result, replaces each by a new one, publishes both, and prints a line for each, until killed. */

const [uri = '', organizationId = '', documentId = '', promptRevid = ''] = process.argv.slice(2);
const connection = await connectDatabase(uri);
const log = createEventLog(connection);
const extractions = createExtractionRepositories(connection)(organizationId);
const releases = createReleases(connection, async ({ _id: id, type, at, version }) =>
  log.append(organizationId, [{ id, type, at, data: { document_id: documentId, version } }]),
);
for (;;) {
  const { extraction, facts } = (await extractions.withFacts(documentId, promptRevid))!;
  const { version } = extraction;
  if (!extraction.is_verified) {
    const look = { is_verified: true, base_version: version, seen: true, userId: documentId };
    await extractions.setVerified(documentId, promptRevid, look);
  } else {
    const edited = { result: { total: version }, grounding: {}, validation_errors: [], facts };
    await extractions.edit(extraction, version, edited, {
      kind: 'person',
      user_id: documentId,
      origin: { kind: 'api' },
    });
  }
  await releases.publish((await releases.get(organizationId, documentId, promptRevid))!);
  process.stdout.write('step\n');
}
