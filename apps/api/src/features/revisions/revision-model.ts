import type { Connection, Model, QueryFilter } from 'mongoose';
import { field, recordSchema, type FieldsOf, type StoredRecord } from '../../platform/records/record-model.ts';

/** A write by an agent's call, and its answer. */
const appliedCall = {
  call_id: field.text.unchecked(),
  revid: field.objectId,
  name: field.text.unchecked(),
  /** What the call made the artifact share with all its revisions. Absent for calls of earlier releases. */
  shared: field.mixed<Record<string, unknown>>().optional(),
};
export type AppliedCall = FieldsOf<typeof appliedCall>;

/** A schema or prompt: its stable id, its name and its current revision. */
export type ArtifactRecord = StoredRecord<ReturnType<typeof artifactSchema>>;

export type ArtifactFilter = QueryFilter<ArtifactRecord>;

/** Immutable. The content is JSON text: schemas contain names such as `$ref`, which fields must not have. */
export type RevisionRecord = StoredRecord<ReturnType<typeof revisionSchema>>;

function artifactSchema(collection: string) {
  const schema = recordSchema(
    {
      organization_id: field.objectId,
      name: field.text,
      current_version: field.number,
      current_revid: field.objectId,
      /** The values that lists filter by, from the current revision. */
      facets: field.mixed<Record<string, unknown>>().default({}),
      /** Counts every change by anyone: undo detects changes of others by it. */
      changes: field.number.default(0),
      origin_document_id: field.text.orNull(),
      /** Fields of the artifact, shared by all its revisions. */
      settings: field.mixed<Record<string, unknown>>().optional(),
      /** Set while an artifact that a run without a user created waits for acceptance. */
      review: field.oneOf<'pending'>().optionalOrNull(),
      applied_calls: field.part(appliedCall).list(),
      deleted_at: field.date.orNull(),
      deleted_by_call: field.text.orNull(),
    },
    { collection, keepsEmptyObjects: true },
  );
  schema.index({ organization_id: 1, deleted_at: 1, current_revid: -1 });
  schema.index({ organization_id: 1, 'facets.tag_ids': 1 });
  schema.index({ 'applied_calls.call_id': 1 }, { sparse: true });
  return schema;
}

function revisionSchema(collection: string) {
  const schema = recordSchema(
    {
      organization_id: field.objectId,
      artifact_id: field.objectId,
      version: field.number,
      content: field.text,
      /** Absent for writes without a call, so that the unique index skips them. */
      call_id: field.text.optional(),
      created_at: field.date,
      created_by: field.text,
    },
    { collection },
  );
  schema.index({ artifact_id: 1, version: 1 }, { unique: true });
  schema.index({ call_id: 1 }, { unique: true, sparse: true });
  return schema;
}

export type RevisionedKind = 'schema' | 'prompt';

const schemasOf = {
  schema: { artifact: artifactSchema('schemas'), revision: revisionSchema('schema_revisions') },
  prompt: { artifact: artifactSchema('prompts'), revision: revisionSchema('prompt_revisions') },
};

/** The collections of a revisioned kind: the artifacts and their revisions. */
export function revisionModels(
  connection: Connection,
  kind: RevisionedKind,
): { artifacts: Model<ArtifactRecord>; revisions: Model<RevisionRecord> } {
  const [artifactName, revisionName] = [`${kind}_artifact`, `${kind}_revision`];
  return {
    artifacts:
      connection.models[artifactName] ?? connection.model<ArtifactRecord>(artifactName, schemasOf[kind].artifact),
    revisions:
      connection.models[revisionName] ?? connection.model<RevisionRecord>(revisionName, schemasOf[kind].revision),
  };
}
