import { isDeepStrictEqual } from 'node:util';
import mongoose, { type Connection } from 'mongoose';
import { createWrittenRecords } from '../../turn-writes/written-record-repository.ts';
import type { IsUndone, Restoration, UndoableRecords } from '../../turn-writes/undoable-records.ts';
import { revisionModels, type ArtifactRecord, type RevisionedKind, type RevisionRecord } from './revision-model.ts';
import { createRevisionWriter } from './revision-writer-repository.ts';
import type { RevisionBefore } from './revision.ts';
import { sharedContent } from './shared-content.ts';

type Settings = Readonly<Record<string, unknown>>;

interface RevisionUndoOptions<Content> {
  kind: RevisionedKind;
  facetsOf: (content: Content) => Record<string, unknown>;
  /** Parts of the content that belong to the artifact and not to its revisions. Default: none. */
  sharedKeys?: readonly (keyof Content & string)[];
  /** The settings to store, so that the noted ones hold again. Default: the noted ones. */
  settingsAgain?: (noted: Settings, present: Settings, userId: string) => Settings;
  /** Called after settings were restored, or their restoration was reverted; `changed` names them. */
  onSettings?: (organizationId: string, artifactId: string, changed: readonly string[]) => Promise<void>;
  /** Why the artifact cannot be removed, or the content cannot be restored. */
  obstacles: (
    organizationId: string,
    change: { id: string; content: Content | null },
    isUndone: IsUndone,
  ) => Promise<string[]>;
}

/** Undoes writes of artifacts: the previous content becomes a new revision under the same id. */
export function createRevisionUndo<Content>(
  connection: Connection,
  {
    kind,
    facetsOf,
    sharedKeys = [],
    settingsAgain = (noted) => noted,
    onSettings,
    obstacles,
  }: RevisionUndoOptions<Content>,
): (organizationId: string) => UndoableRecords {
  const models = revisionModels(connection, kind);
  const { artifacts, revisions } = models;
  const shared = sharedContent<Content>(sharedKeys);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    // Revisions of an undo are not counted as stored.
    const writer = createRevisionWriter(models, organization_id, () => undefined);

    async function previousContent({ id, before }: Restoration): Promise<Content | null> {
      if (before === null) return null;
      const noted = before as RevisionBefore;
      const record = await revisions.findOne({ _id: noted.revid, artifact_id: id, organization_id }).lean();
      if (record === null) throw new Error(`The previous revision of the ${kind} ${id} does not exist.`);
      return { ...(JSON.parse(record.content) as Content), ...noted.shared };
    }

    /** The newest revision if it has the content, else a new one. */
    async function revisionWith(content: Content, { id, origin, userId }: Restoration): Promise<RevisionRecord> {
      const place = await writer.placeOfNext(new mongoose.Types.ObjectId(id));
      if (shared.isSameRevision(JSON.parse(place.newest.content), content)) return place.newest;
      const written = {
        content: JSON.stringify(content),
        call_id: origin.call_id,
        created_at: new Date(),
        created_by: userId,
      };
      const revision = await writer.write(place, written);
      if (revision === undefined) throw new Error(`The ${kind} ${id} was changed meanwhile. Try again.`);
      return revision;
    }

    async function restoredState(
      restoration: Restoration,
      content: Content | null,
      present: ArtifactRecord,
    ): Promise<Partial<ArtifactRecord>> {
      if (content === null) return { deleted_at: new Date(), deleted_by_call: restoration.origin.call_id };
      const revision = await revisionWith(content, restoration);
      const { name, settings } = restoration.before as RevisionBefore;
      return {
        name,
        ...(settings && { settings: settingsAgain(settings, present.settings ?? {}, restoration.userId) }),
        current_version: revision.version,
        current_revid: revision._id,
        facets: facetsOf(content),
        deleted_at: null,
        deleted_by_call: null,
      };
    }

    async function emitSettings(id: string, before: Settings = {}, after: Settings = {}): Promise<void> {
      const names = Object.keys({ ...before, ...after });
      const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
      if (changed.length > 0) await onSettings?.(organizationId, id, changed);
    }

    const written = createWrittenRecords(connection, organizationId, {
      collection: artifacts.collection.name,
      leaves: ['review'] satisfies (keyof ArtifactRecord)[],
      notedAs: 'applied_calls.call_id',
      nameOf: ({ name }) => `${kind} “${name}”`,
    });
    return {
      ...written,
      async revert(reversal) {
        const restored = await artifacts.findOne({ _id: reversal.id, organization_id }, { settings: 1 }).lean();
        if (!(await written.revert(reversal))) return false;
        const reverted = await artifacts.findOne({ _id: reversal.id, organization_id }, { settings: 1 }).lean();
        await emitSettings(reversal.id, restored?.settings, reverted?.settings);
        // Only the restoration points to this revision: the next change must not build on it.
        await revisions.deleteOne({ organization_id, artifact_id: reversal.id, call_id: reversal.callId });
        return true;
      },
      async obstacles(restoration, isUndone) {
        const content = await previousContent(restoration);
        return await obstacles(organizationId, { id: restoration.id, content }, isUndone);
      },
      async restore(restoration) {
        const { id, changes, base, origin } = restoration;
        const own = { _id: new mongoose.Types.ObjectId(id), organization_id };
        const found = await artifacts.findOne(own).lean();
        if (found?.applied_calls.some(({ call_id }) => call_id === origin.call_id)) return true;
        if (found?.changes !== changes) return false;
        const set = await restoredState(restoration, await previousContent(restoration), found);
        const call = { call_id: origin.call_id, revid: set.current_revid ?? found.current_revid, name: found.name };
        const { matchedCount } = await artifacts.updateOne(
          { ...own, changes },
          { $set: { ...set, changes: base }, $push: { applied_calls: call } },
        );
        if (matchedCount === 1 && set.settings !== undefined) await emitSettings(id, found.settings, set.settings);
        // A concurrent attempt of the same undo might have been faster.
        const applied = { ...own, 'applied_calls.call_id': origin.call_id };
        return matchedCount === 1 || (await artifacts.exists(applied)) !== null;
      },
    };
  };
}
