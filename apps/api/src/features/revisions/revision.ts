import { DomainError } from '@docwright/contract';
import type { AppliedCall, RevisionedKind, RevisionRecord } from './revision-model.ts';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import type { RevisionQuery } from './revision-query.ts';
import type { PageEnd, PageSelection } from '../../platform/database/page.ts';

/** One immutable revision, with the current name of its artifact. */
export interface Revision<Content> {
  artifact_id: string;
  revid: string;
  version: number;
  name: string;
  content: Content;
  created_at: string;
  created_by: string;
  /** Set while the artifact waits for acceptance. */
  review?: 'pending';
  /** Settings of the artifact, shared by all its revisions. */
  settings?: Record<string, unknown>;
}

/** The noted state of an artifact before a write. */
export interface RevisionBefore {
  name: string;
  revid: string;
  /** What belonged to the artifact and not to the revision. Absent in notes of earlier releases. */
  shared?: Record<string, unknown>;
  /** The settings of the artifact. Absent in notes of earlier releases. */
  settings?: Record<string, unknown>;
}

/** A change of an artifact. */
export interface Change<Content> {
  name?: string | undefined;
  /** Settings to change; omitted ones stay. */
  settings?: Record<string, unknown> | undefined;
  /**
   * The next content. Equal content makes no revision, and neither does a change of what belongs to the artifact, such as
   * the tags of a prompt. Called again after a concurrent change.
   */
  next(current: Content): Content | Promise<Content>;
  created_by: string;
  origin?: WriteOrigin | undefined;
  /** The version that the new one may follow. Default: whichever is current. */
  base_version?: number | undefined;
  /** Throws `version_conflict` if the user did not see the artifact as it is. Default: it is changed as it is. */
  requireSeen?: ((present: Revision<Content>) => void) | undefined;
}

/** The artifacts of one organization: a stable id with immutable, numbered revisions. A malformed id finds nothing. */
export interface RevisionRepository<Content> {
  get(revid: string): Promise<Revision<Content> | undefined>;
  getCurrent(artifactId: string): Promise<Revision<Content> | undefined>;
  getVersion(artifactId: string, version: number): Promise<Revision<Content> | undefined>;
  /** Current revisions, last changed first. */
  list(query: RevisionQuery): Promise<{ revisions: Revision<Content>[] } & PageEnd>;
  /** The current version of each artifact that is not deleted, by its id. */
  currentVersions(artifactIds: readonly string[]): Promise<Map<string, number>>;
  /** All revisions of one artifact, newest first; undefined if it does not exist. */
  versions(
    artifactId: string,
    page: PageSelection,
  ): Promise<({ revisions: Revision<Content>[] } & PageEnd) | undefined>;
  /** Whether another artifact that is not deleted has the name, ignoring case; also one that waits for acceptance. */
  isNamed(name: string, exceptId?: string): Promise<boolean>;
  /** The answer of a call that wrote already. */
  applied(origin: WriteOrigin | undefined): Promise<Revision<Content> | undefined>;
  create(input: {
    name: string;
    content: Content;
    settings?: Record<string, unknown> | undefined;
    created_by: string;
    origin?: WriteOrigin | undefined;
  }): Promise<Revision<Content>>;
  /** Undefined if the artifact does not exist. Throws `version_conflict` if the change would follow another version than `base_version`. */
  update(artifactId: string, change: Change<Content>): Promise<Revision<Content> | undefined>;
  /** False if the artifact does not exist. Its revisions stay. */
  remove(artifactId: string, origin?: WriteOrigin): Promise<boolean>;
}

/** The revision after a change, which can be the newest one, and the parts of the content that the artifact gets. */
export interface NextRevision<Content> {
  revision: RevisionRecord;
  content: Content;
  changed: Partial<Content>;
}

const maxAppliedCalls = 200;

/** The part of an update that notes a call. */
export function notedCall(call: AppliedCall): {
  $push: { applied_calls: { $each: AppliedCall[]; $slice: number } };
} {
  return { $push: { applied_calls: { $each: [call], $slice: -maxAppliedCalls } } };
}

/** Throws `version_conflict` if `base`, the version that the user saw, is not the current one. */
export function requireBase(kind: RevisionedKind, base: number | undefined, current: number): void {
  if (base === undefined || base === current) return;
  throw new DomainError(
    'conflict',
    'version_conflict',
    `Somebody has changed the ${kind}, which is now at version ${current}. Open it again and repeat your change on that version (base_version).`,
    { current_version: current },
  );
}
