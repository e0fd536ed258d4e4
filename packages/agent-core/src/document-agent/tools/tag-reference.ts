import type { Tag } from '@docwright/contract';

/** A tag as the agent reads it. */
export function tagReference({ tag_id, name, color, description }: Tag) {
  return { tag_id, name, color, description };
}
