import type { Figures } from '../figures.ts';

/** What is summed: the members of a scope, each with figures that follow from its records alone. */
export interface Summed {
  organizationId: string;
  /** Unique within the organization. Another way to measure needs another name. */
  name: string;
  /** A value that changes after each change of a member that `changed` reports. */
  stamp(): Promise<string>;
  /** All members that may have figures, in batches. */
  all(): AsyncIterable<readonly string[]>;
  /** Those that may have changed since sums with this stamp were kept; undefined if that is not known any more. */
  changed(since: { stamp: string; keptAt: Date }): AsyncIterable<readonly string[]> | undefined;
  /** Members whose change no stamp shows yet. */
  unstamped?(): Promise<readonly string[]>;
  /** The figures of these members as they are now; those of others are zero. */
  measure(members: readonly string[]): Promise<ReadonlyMap<string, Figures>>;
}

/** Sums by their organization and name. */
export type Named = Pick<Summed, 'organizationId' | 'name'>;
