import type { SearchHit } from '@docwright/contract';
import { hitKey } from './hits.ts';

const keyOf = (collectionId: string) => `docwright.hit-of-${collectionId}`;

/** Keeps which hit was opened last, for the window it is open in: the way back leads to it. */
export function keepHit(collectionId: string, hit: SearchHit): void {
  try {
    window.sessionStorage.setItem(keyOf(collectionId), hitKey(hit));
  } catch {
    // Storage is refused: the way back leads to the first hit.
  }
}

/** The key of the hit that was opened last, once: whoever searches anew begins at the top. */
export function takeHit(collectionId: string): string | undefined {
  try {
    const key = window.sessionStorage.getItem(keyOf(collectionId)) ?? undefined;
    window.sessionStorage.removeItem(keyOf(collectionId));
    return key;
  } catch {
    return undefined;
  }
}
