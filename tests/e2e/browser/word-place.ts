import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Pixels in the viewport. */
export interface Place {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Expects a box to cover a word of PDF.js's text layer, which is independent of our own reading. */
export async function expectBoxOn(page: Page, word: string, box: Locator): Promise<void> {
  await expectBoxAt(box, () => page.evaluate<Place | undefined>(placeOfWord(word)));
}

/** Expects two boxes to overlap: their intersection is more than half of their union. */
export async function expectBoxAt(box: Locator, placeNow: () => Promise<Place | undefined>): Promise<void> {
  await expect
    .poll(
      async () => {
        const shown = await box.first().boundingBox();
        const place = await placeNow();
        if (!shown || !place) return 0;
        const width = Math.min(shown.x + shown.width, place.right) - Math.max(shown.x, place.left);
        const height = Math.min(shown.y + shown.height, place.bottom) - Math.max(shown.y, place.top);
        const both = Math.max(0, width) * Math.max(0, height);
        const area = (place.right - place.left) * (place.bottom - place.top);
        return both / (shown.width * shown.height + area - both);
      },
      { timeout: 15_000 },
    )
    .toBeGreaterThan(0.5);
}

/** Runs in the browser: the box of a word in the text layer. */
const placeOfWord = (word: string) => `(() => {
  for (const span of document.querySelectorAll('.textLayer span')) {
    const text = span.firstChild;
    const at = text?.nodeType === 3 ? text.textContent.indexOf(${JSON.stringify(word)}) : -1;
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + ${word.length});
    const { left, right, top, bottom } = range.getBoundingClientRect();
    return { left, right, top, bottom };
  }
})()`;
