import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { readPage } from '../../platform/database/page.ts';
import { ignoreDuplicateKey } from '../../platform/database/connection.ts';
import { readTogether } from '../../platform/database/joint-reads.ts';
import { storedBytesOf, type StoredBytes } from '../../platform/database/stored-bytes/stored-bytes.ts';
import { objectIdOf } from '../../platform/database/object-id.ts';
import {
  revisionModels,
  type AppliedCall,
  type ArtifactRecord,
  type RevisionedKind,
  type RevisionRecord,
} from './revision-model.ts';
import { whereNamed, whereOf } from './revision-query.ts';
import { createRevisionWriter } from './revision-writer-repository.ts';
import { notedCall, requireBase, type Change, type NextRevision, type Revision } from './revision.ts';
import type { RevisionBefore, RevisionRepository } from './revision.ts';
import { sharedContent, type SharedContent } from './shared-content.ts';
import { createTurnWriteRepositories, type TurnWriteRepository } from '../../turn-writes/turn-write-repository.ts';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import { presentEach } from '../../platform/records/unreadable-records.ts';
import { asRead } from '../../platform/records/seen-edit.ts';

const maxAttempts = 20;

/**
 * A write changes two records: first the revision, under unique indexes on its version and its call, then the artifact
 * that points to it. After a crash in between, the repeated call finds its revision and completes the write. A revision that no
 * artifact names yet is not shown; if it is still not named after a while, the next change gets its number.
 */
export function createRevisionRepositories<Content>(
  connection: Connection,
  kind: RevisionedKind,
  facetsOf: (content: Content) => Record<string, unknown>,
  sharedKeys: readonly (keyof Content & string)[] = [],
): (organizationId: string) => RevisionRepository<Content> {
  const models = revisionModels(connection, kind);
  const writesOf = createTurnWriteRepositories(connection);
  const shared = sharedContent<Content>(sharedKeys);
  const rules = { kind, facetsOf, shared, count: storedBytesOf(connection).add };
  return (organizationId) => repositoryOf(models, writesOf(organizationId), organizationId, rules);
}

interface ContentRules<Content> {
  kind: RevisionedKind;
  facetsOf: (content: Content) => Record<string, unknown>;
  shared: SharedContent<Content>;
  count: StoredBytes['add'];
}

function repositoryOf<Content>(
  { artifacts, revisions }: ReturnType<typeof revisionModels>,
  writes: TurnWriteRepository,
  organizationId: string,
  { kind, facetsOf, shared, count }: ContentRules<Content>,
): RevisionRepository<Content> {
  const organization_id = new mongoose.Types.ObjectId(organizationId);
  const contentOf = (record: RevisionRecord): Content => JSON.parse(record.content);
  const writer = createRevisionWriter({ artifacts, revisions }, organization_id, (bytes) =>
    count(organizationId, 'revisions', bytes),
  );

  const present = (
    record: RevisionRecord,
    name: string,
    { review, settings, facets }: Partial<Pick<ArtifactRecord, 'review' | 'settings' | 'facets'>> = {},
  ): Revision<Content> => ({
    artifact_id: record.artifact_id.toHexString(),
    revid: record._id.toHexString(),
    version: record.version,
    name,
    content: { ...contentOf(record), ...shared.of({ ...(facets && { facets }) }) },
    created_at: record.created_at.toISOString(),
    created_by: record.created_by,
    ...(review ? { review } : {}),
    ...(settings ? { settings } : {}),
  });

  async function artifact(id: string): Promise<ArtifactRecord | undefined> {
    const _id = objectIdOf(id);
    return _id && ((await artifacts.findOne({ _id, organization_id }).lean()) ?? undefined);
  }

  async function revisionOf(filter: QueryFilter<RevisionRecord>): Promise<Revision<Content> | undefined> {
    const record = await revisions.findOne({ ...filter, organization_id }).lean();
    if (record === null) return undefined;
    const owner = await artifact(record.artifact_id.toHexString());
    return owner && present(record, owner.name, owner);
  }

  async function presentAll(records: ArtifactRecord[]): Promise<Revision<Content>[]> {
    if (records.length === 0) return [];
    const current = await revisions.find({ _id: { $in: records.map((record) => record.current_revid) } }).lean();
    const byId = new Map(current.map((record) => [record._id.toHexString(), record]));
    return presentEach(records, (record) => {
      const revision = byId.get(record.current_revid.toHexString());
      return revision ? [present(revision, record.name, record)] : [];
    }).flat();
  }

  /**
   * Points the artifact to `revision`, unless it points to a later one, renames it, sets its settings and what it shares
   * with all revisions, and notes the call, in one update, once. False if what it sets has changed since `seen` was read.
   */
  async function pointTo(
    { revision, content, changed }: NextRevision<Content>,
    { name, settings = {} }: Pick<Change<Content>, 'name' | 'settings'>,
    { call, seen }: { call?: AppliedCall | undefined; seen?: ArtifactRecord | undefined },
  ): Promise<boolean> {
    const own = {
      _id: revision.artifact_id,
      organization_id,
      ...(call ? { 'applied_calls.call_id': { $ne: call.call_id } } : {}),
    };
    const ofSettings = Object.entries(settings).map(([key, value]) => [`settings.${key}`, value] as const);
    // Unchanged fields keep the values of a concurrent change.
    const ofShared = Object.entries(changed).map(([key, value]) => [`facets.${key}`, value] as const);
    const renamed = { ...(name !== undefined && { name }), ...Object.fromEntries([...ofSettings, ...ofShared]) };
    const isRenamed = Object.keys(renamed).length > 0;
    const unchanged = seen && asRead(seen, renamed);
    const rest = { $inc: { changes: 1 }, ...(call ? notedCall(call) : {}) };
    const pointed = {
      ...renamed,
      current_version: revision.version,
      current_revid: revision._id,
      ...shared.ownFacets(facetsOf(content)),
    };
    const earlier = { ...own, ...unchanged, current_version: { $lt: revision.version } };
    const { matchedCount } = await artifacts.updateOne(earlier, { $set: pointed, ...rest });
    if (matchedCount === 1 || (!isRenamed && call === undefined)) return true;
    const renaming = { ...(isRenamed && { $set: renamed }), ...rest };
    const isWritten = (await artifacts.updateOne({ ...own, ...unchanged }, renaming)).matchedCount === 1;
    return isWritten || seen === undefined || (await isApplied(seen._id, call));
  }

  const isApplied = async (_id: ArtifactRecord['_id'], call: AppliedCall | undefined) =>
    call !== undefined &&
    (await artifacts.exists({ _id, organization_id, 'applied_calls.call_id': call.call_id })) !== null;

  /** Notes the state of the artifact before a call changes it. */
  async function noteWrite(owner: ArtifactRecord, tool: string, origin: WriteOrigin | undefined): Promise<void> {
    const before: RevisionBefore = {
      name: owner.name,
      revid: owner.current_revid.toHexString(),
      shared: shared.of(owner),
      settings: owner.settings ?? {},
    };
    await writes.note(origin, { tool, kind, recordId: owner._id.toHexString(), before, base: owner.changes ?? 0 });
  }

  async function nextRevision(owner: ArtifactRecord, change: Change<Content>): Promise<NextRevision<Content>> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const place = await writer.placeOfNext(owner._id);
      const { newest } = place;
      change.requireSeen?.(present(newest, owner.name, owner));
      const current = { ...contentOf(newest), ...shared.of(owner) };
      const content = await change.next(current);
      const changed = shared.changed(current, content);
      if (shared.isSameRevision(current, content)) return { revision: newest, content, changed };
      requireBase(kind, change.base_version, newest.version);
      const inserted = await writer.write(place, {
        content: JSON.stringify(content),
        ...(change.origin ? { call_id: change.origin.call_id } : {}),
        created_at: new Date(),
        created_by: change.created_by,
      });
      if (inserted) return { revision: inserted, content, changed };
    }
    throw new Error(`The ${kind} had too many concurrent changes. Try again.`);
  }

  return {
    async get(revid) {
      const _id = objectIdOf(revid);
      return _id && (await revisionOf({ _id }));
    },
    async getCurrent(artifactId) {
      const owner = await artifact(artifactId);
      return !owner || owner.deleted_at ? undefined : (await presentAll([owner]))[0];
    },
    async getVersion(artifactId, version) {
      const owner = await artifact(artifactId);
      if (!owner || owner.deleted_at) return undefined;
      return version > owner.current_version ? undefined : await revisionOf({ artifact_id: owner._id, version });
    },
    async list(query) {
      const filter = { ...whereOf(query), organization_id, deleted_at: null };
      const { skip, limit, cursor, exact_count } = query;
      const page = { skip, limit, cursor, exact_count, sort: { current_revid: -1 } } as const;
      const { records, end } = await readPage(artifacts, filter, {
        ...page,
        read: (selected, selection) => readTogether(artifacts, selected, selection),
      });
      return { revisions: await presentAll(records), ...end };
    },
    async currentVersions(artifactIds) {
      const ids = artifactIds.flatMap((id) => objectIdOf(id) ?? []);
      if (ids.length === 0) return new Map();
      const found = await artifacts
        .find({ _id: { $in: ids }, organization_id, deleted_at: null }, { current_version: 1 })
        .lean();
      return new Map(found.map(({ _id, current_version }) => [_id.toHexString(), current_version]));
    },
    async versions(artifactId, page) {
      const owner = await artifact(artifactId);
      if (!owner || owner.deleted_at) return undefined;
      const filter = { artifact_id: owner._id, organization_id, version: { $lte: owner.current_version } };
      const { records, end } = await readPage(revisions, filter, { ...page, sort: { version: -1 } });
      return { revisions: presentEach(records, (record) => present(record, owner.name, owner)), ...end };
    },
    async isNamed(name, exceptId) {
      const _id = objectIdOf(exceptId ?? '');
      const filter = { ...whereNamed(name), organization_id, deleted_at: null };
      return (await artifacts.exists({ ...filter, ...(_id && { _id: { $ne: _id } }) })) !== null;
    },
    async applied(origin) {
      if (!origin) return undefined;
      const owner = await artifacts.findOne({ organization_id, 'applied_calls.call_id': origin.call_id }).lean();
      const call = owner?.applied_calls.find((candidate) => candidate.call_id === origin.call_id);
      const record = call && (await revisions.findOne({ _id: call.revid, organization_id }).lean());
      return record && owner
        ? present(record, call.name, { ...owner, facets: { ...owner.facets, ...call.shared } })
        : undefined;
    },
    async create({ name, content, settings, created_by, origin }) {
      await writes.note(origin, { tool: `create_${kind}`, kind, before: null, base: 0 });
      const review = origin?.for_review ? 'pending' : null;
      const revision = await writer.insert({
        _id: new mongoose.Types.ObjectId(),
        artifact_id: new mongoose.Types.ObjectId(),
        version: 1,
        content: JSON.stringify(content),
        ...(origin ? { call_id: origin.call_id } : {}),
        created_at: new Date(),
        created_by,
      });
      if (!revision) throw new Error(`The id of the new ${kind} exists already.`);
      try {
        await artifacts.create({
          _id: revision.artifact_id,
          organization_id,
          name,
          current_version: revision.version,
          current_revid: revision._id,
          facets: facetsOf(content),
          changes: 1,
          origin_document_id: origin?.document_id?.toLowerCase() ?? null,
          review,
          ...(settings && { settings }),
          applied_calls: origin
            ? [{ call_id: origin.call_id, revid: revision._id, name, shared: shared.of({ facets: facetsOf(content) }) }]
            : [],
        });
      } catch (error) {
        // The call completed before.
        ignoreDuplicateKey(error);
      }
      return present(revision, name, { review, ...(settings && { settings }) });
    },
    async update(artifactId, change) {
      const owner = await artifact(artifactId);
      if (!owner || owner.deleted_at) return undefined;
      await noteWrite(owner, `update_${kind}`, change.origin);
      const call_id = change.origin?.call_id;
      const next = await nextRevision(owner, change);
      const { revision, content } = next;
      const name = change.name ?? owner.name;
      const facets = facetsOf(content);
      const call = { revid: revision._id, name, shared: shared.of({ facets }) };
      const isPointed = await pointTo(next, change, {
        call: call_id === undefined ? undefined : { call_id, ...call },
        seen: change.requireSeen && owner,
      });
      if (!isPointed) {
        // The next change must not build on a revision that no artifact names.
        if (revision.version > owner.current_version) await revisions.deleteOne({ _id: revision._id, organization_id });
        return await this.update(artifactId, change);
      }
      return present(revision, name, {
        ...owner,
        facets,
        ...(change.settings && { settings: { ...owner.settings, ...change.settings } }),
      });
    },
    async remove(artifactId, origin) {
      const owner = await artifact(artifactId);
      if (!owner) return false;
      if (owner.applied_calls.some(({ call_id }) => call_id === origin?.call_id)) return true;
      if (!owner.deleted_at) await noteWrite(owner, `delete_${kind}`, origin);
      const call = origin && { call_id: origin.call_id, revid: owner.current_revid, name: owner.name };
      const $set = { deleted_at: new Date(), deleted_by_call: origin?.call_id ?? null };
      const { matchedCount } = await artifacts.updateOne(
        { _id: owner._id, organization_id, deleted_at: null },
        { $set, $inc: { changes: 1 }, ...(call ? notedCall(call) : {}) },
      );
      const isRepeated = async () => (await artifact(artifactId))?.deleted_by_call === origin?.call_id;
      return matchedCount === 1 || (origin !== undefined && (await isRepeated()));
    },
  };
}
