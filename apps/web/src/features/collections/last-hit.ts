import type { SearchHit } from '@docwright/contract';
import { hitKey } from './hits.ts';

const keyOf = (collectionId: string) => `docwright.hit-of-${collectionId}`;

/** Stores the last opened hit for this window, to return the focus to it. */
export function storeLastHit(collectionId: string, hit: SearchHit): void {
  try {
    window.sessionStorage.setItem(keyOf(collectionId), hitKey(hit));
  } catch {
    // Storage is blocked: the focus does not return to the hit.
  }
}

/** Returns and deletes the key of the last opened hit, so that a new search starts at the top. */
export function takeLastHit(collectionId: string): string | undefined {
  try {
    const key = window.sessionStorage.getItem(keyOf(collectionId)) ?? undefined;
    window.sessionStorage.removeItem(keyOf(collectionId));
    return key;
  } catch {
    return undefined;
  }
}
