import { searchOfValues } from './result-writer-repository.ts';
import type { VersionAuthor } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { recordBytes, storedBytesOf } from '../../../platform/database/stored-bytes/stored-bytes.ts';
import { createWrittenRecords } from '../../../turn-writes/written-record-repository.ts';
import type { Restoration, UndoableRecords } from '../../../turn-writes/undoable-records.ts';
import { extractionModel, type ExtractionRecord } from './extraction-model.ts';
import { createExtractionVersions } from './extraction-version-repository.ts';
import { writeMarks } from './index-mark-model.ts';
import { archivedRelease, releaseAsRead, releaseOfNextVersion, returnedResult, withdrawal } from './release-record.ts';
import { createResultRemoval } from './result-removal-repository.ts';
import { contentOfVersion, factsWithMarks, type ExtractionBefore, type WholeBefore } from './extraction-before.ts';

const { EJSON } = mongoose.mongo.BSON;
const maxAttempts = 20;

interface ExtractionUndoOptions {
  /** Called when a document has lost its last result. */
  onLastRemoved: (organizationId: string, documentId: string) => Promise<void>;
  /** Called after a removed result was restored. */
  onRestore: (organizationId: string, documentId: string) => Promise<void>;
}

/** What the product writes without counting a change. */
const notCounted: readonly (keyof ExtractionRecord)[] = [
  'announce_pending',
  'announced_version',
  'index_pending',
  'outbox',
  'release_pending',
  'release_retry_at',
  'review_pending',
];

const verifiedByUser = { is_verified: true };
const editedByUser = { is_edited: true, 'author.kind': 'person' as const };

/** Undoes runs and corrections: restores the previous result, or removes the result if there was none. */
export function createExtractionUndo(
  connection: Connection,
  { onLastRemoved, onRestore }: ExtractionUndoOptions,
): (organizationId: string) => UndoableRecords {
  const model = extractionModel(connection);
  const versions = createExtractionVersions(connection);
  const removal = createResultRemoval(connection);
  const storedBytes = storedBytesOf(connection);

  /** Takes a change of users' decisions back, within the version. False after a concurrent write. */
  async function unmark(
    found: ExtractionRecord,
    { is_verified, verified_by, marks = '' }: ExtractionBefore,
    { base, origin }: Pick<Restoration, 'base' | 'origin'>,
  ): Promise<boolean> {
    const { _id, organization_id, version, changes } = found;
    const isReleased = found.release?.state === 'released' && found.is_verified && !is_verified;
    const change = isReleased ? withdrawal(found, 'undone') : undefined;
    const marked = {
      is_verified,
      verified_by: verified_by ?? null,
      review_facts: await factsWithMarks(found.review_facts, marks),
    };
    const { matchedCount } = await model.updateOne(
      { _id, organization_id, version, changes, ...releaseAsRead(found) },
      {
        $set: { ...marked, ...writeMarks(), ...(change && { release: change.release }), changes: base },
        $push: { applied_calls: origin.call_id, ...(change && { outbox: { $each: change.events } }) },
      },
    );
    return matchedCount === 1;
  }

  /** The stored fields of the version that was noted. Undefined if it was removed with its document. */
  async function contentBefore(
    found: ExtractionRecord,
    noted: ExtractionBefore | WholeBefore,
  ): Promise<WholeBefore | undefined> {
    if ('result' in noted) return noted;
    const { version, is_verified, verified_by, marks } = noted;
    const { organization_id, document_id, prompt_revid } = found;
    const archived = await versions.get({ organization_id, document_id, prompt_revid }, version);
    if (archived === undefined) return undefined;
    const { created_at, review_facts, ...content } = contentOfVersion(archived);
    return {
      ...content,
      is_verified,
      ...(verified_by !== undefined && { verified_by }),
      created_at: created_at.toISOString(),
      review_facts: marks === undefined ? review_facts : await factsWithMarks(review_facts, marks),
    };
  }

  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const written = createWrittenRecords(connection, organizationId, {
      collection: model.collection.name,
      leaves: notCounted,
      notedAs: 'applied_calls',
      nameOf: () => 'extraction',
      isRemovable: true,
    });
    return {
      ...written,
      async revert(reversal) {
        const former = EJSON.parse(reversal.record, { relaxed: false }) as ExtractionRecord;
        const record = EJSON.stringify(returnedResult(former), { relaxed: false });
        const isReverted = await written.revert({ ...reversal, record });
        const found = await model.findOne({ _id: reversal.id, organization_id }, { document_id: 1 }).lean();
        await model.updateOne({ _id: reversal.id, organization_id }, { $set: writeMarks() });
        if (found !== null) await onRestore(organizationId, found.document_id.toHexString());
        return isReverted;
      },
      async obstacles({ id, before, keeps = 'nothing' }) {
        if (keeps === 'nothing' || before !== null) return [];
        const kept = keeps === 'verified' ? [verifiedByUser] : [verifiedByUser, editedByUser];
        const found = await model.exists({ _id: id, organization_id, $or: kept });
        return found === null ? [] : ['a user has verified or edited the result'];
      },
      async restore({ id, before, changes, base, origin, userId }) {
        const own = { _id: new mongoose.Types.ObjectId(id), organization_id };
        const noted = before as ExtractionBefore | WholeBefore | null;
        for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
          const found = await model.findOne(own).lean();
          // An earlier attempt removed it.
          if (found === null) return noted === null;
          if (found.applied_calls.includes(origin.call_id)) return true;
          if (found.changes !== changes) return false;
          if (noted === null) {
            if (!(await removal.remove(found, 'undone'))) return false;
            const { document_id } = found;
            if ((await model.countDocuments({ organization_id, document_id })) === 0) {
              await onLastRemoved(organizationId, document_id.toHexString());
            }
            return true;
          }
          if ('marks' in noted && noted.version === found.version) {
            if (await unmark(found, noted, { base, origin })) return true;
            continue;
          }
          const former = await contentBefore(found, noted);
          if (former === undefined) return false;
          const change = releaseOfNextVersion(found, 'undo');
          // The undone result stays among the versions.
          await versions.archive([archivedRelease(found, change)]);
          const author: VersionAuthor = { kind: 'person', user_id: userId, origin: { kind: 'api' } };
          const dates = { created_at: new Date(former.created_at), changed_at: new Date() };
          const review = {
            review_facts: former.review_facts ?? '',
            ...writeMarks(),
            release: change.release,
            ...(await searchOfValues({ organization_id }, former)),
          };
          const set = {
            repaired: false,
            verified_by: null,
            ...former,
            ...review,
            ...dates,
            author,
            action: 'undone',
            changes: base,
          };
          const { matchedCount } = await model.updateOne(
            { ...own, changes, version: found.version, ...releaseAsRead(found) },
            {
              $set: set,
              $unset: { restored_from: 1 },
              $inc: { version: 1 },
              $push: {
                applied_calls: origin.call_id,
                ...(change.events.length > 0 && { outbox: { $each: change.events } }),
              },
            },
          );
          if (matchedCount === 1) {
            storedBytes.add(organizationId, found.document_id.toHexString(), recordBytes(former));
            return true;
          }
        }
        throw new Error('Too many writes of one result at once.');
      },
    };
  };
}
