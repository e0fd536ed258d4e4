import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import type { RevisionQuery } from './revision-query.ts';

/** One immutable revision, under the present name of the thing it belongs to. */
export interface Revision<Content> {
  artifact_id: string;
  revid: string;
  version: number;
  name: string;
  content: Content;
  created_at: string;
  created_by: string;
  /** Of the thing: nobody has accepted it yet. */
  review?: 'pending';
  /** Of the object, shared by all its revisions. */
  settings?: Record<string, unknown>;
}

/** How a thing was, in the way back of a write. */
export interface RevisionBefore {
  name: string;
  revid: string;
}

/** A change to a revisioned thing. */
export interface Change<Content> {
  name?: string | undefined;
  /** Of the object, shared by all its revisions; omitted fields stay. */
  settings?: Record<string, unknown> | undefined;
  /** The next content; equal content makes no revision. Called again when another change came first. */
  next(current: Content): Content | Promise<Content>;
  created_by: string;
  origin?: WriteOrigin | undefined;
}

/** Things of one organization that keep a stable id over immutable, numbered revisions. A malformed id finds nothing. */
export interface RevisionRepository<Content> {
  get(revid: string): Promise<Revision<Content> | undefined>;
  getCurrent(artifactId: string): Promise<Revision<Content> | undefined>;
  getVersion(artifactId: string, version: number): Promise<Revision<Content> | undefined>;
  /** The current revision of each, the last changed first. */
  list(query: RevisionQuery): Promise<{ revisions: Revision<Content>[]; total_count: number }>;
  /** All revisions of one thing, the newest first; undefined when it is not there. */
  versions(
    artifactId: string,
    page: { skip: number; limit: number },
  ): Promise<{ revisions: Revision<Content>[]; total_count: number } | undefined>;
  /** Whether another thing that is not deleted has the name, in any case; accepted or not. */
  isNamed(name: string, exceptId?: string): Promise<boolean>;
  /** What a call that already wrote was answered with. */
  applied(origin: WriteOrigin | undefined): Promise<Revision<Content> | undefined>;
  create(input: {
    name: string;
    content: Content;
    settings?: Record<string, unknown> | undefined;
    created_by: string;
    origin?: WriteOrigin | undefined;
  }): Promise<Revision<Content>>;
  /** Undefined when the thing is not there. */
  update(artifactId: string, change: Change<Content>): Promise<Revision<Content> | undefined>;
  /** False when the thing is not there. Its revisions stay. */
  remove(artifactId: string, origin?: WriteOrigin): Promise<boolean>;
}
