import { pictureOf, png, rotateImage } from '@docwright/documents/testing/picture';
import { chromium, type Browser } from 'playwright-core';
import { type DrawnDocument, paperHeight } from './drawn-document.ts';
import type { Random } from './random.ts';

const grains = 65_536;

/** A browser that prints; undefined if none is installed. */
export async function openPrinter(): Promise<Browser | undefined> {
  const executablePath = process.env['CHROMIUM_PATH'];
  try {
    return await chromium.launch({
      ...(executablePath !== undefined && { executablePath }),
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    });
  } catch {
    return undefined;
  }
}

/** The document as a PDF with a text layer. */
export async function printPdf(browser: Browser, { html, width, height }: DrawnDocument): Promise<Uint8Array> {
  const page = await browser.newPage({ viewport: { width, height: height ?? paperHeight } });
  try {
    await page.setContent(html);
    const tall = height ?? Math.ceil(Number(await page.evaluate('document.body.scrollHeight'))) + 20;
    return await page.pdf({ width: `${width}px`, height: `${tall}px`, printBackground: true });
  } finally {
    await page.close();
  }
}

/** The first page of a PDF as from a scanner: askew, blurred, grey, with noise, specks and uneven light. */
export async function scan(pdf: Uint8Array, random: Random): Promise<Uint8Array> {
  const sharp = await pictureOf(pdf, random.between(140, 220) / 72);
  const turned = rotateImage(sharp, ((random.next() - 0.5) * 2.4 * Math.PI) / 180);
  const { width, height } = turned;
  const pixels = random.chance(0.6) ? blurred(turned) : Uint8Array.from(turned.pixels);
  const noise = random.between(6, 26);
  const ink = random.between(20, 80);
  const shade = random.between(0, 40);
  const specks = Math.round(random.next() * 0.0006 * grains);
  // A random number for every dot would take longer than reading the page, so a table of noise is read in odd steps.
  const grain = Int16Array.from({ length: grains }, (_, index) => {
    const spread = (random.next() + random.next() + random.next() - 1.5) * noise;
    return Math.round(spread) - (index < specks ? 150 : 0);
  });
  let walk = random.between(0, grains - 1);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      const paper = 250 - shade * (x / width);
      const drawn = ink + (pixels[at]! / 255) * (paper - ink);
      walk = (Math.imul(walk, 1_664_525) + 1_013_904_223) >>> 0;
      pixels[at] = Math.max(0, Math.min(255, Math.round(drawn + grain[walk >>> 16]!)));
    }
  }
  return png({ pixels, width, height });
}

function blurred({ pixels, width, height }: { pixels: Uint8Array; width: number; height: number }): Uint8Array {
  const soft = Uint8Array.from(pixels);
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const beside = pixels[at - 1]! + pixels[at + 1]! + pixels[at - width]! + pixels[at + width]!;
      soft[at] = Math.round((2 * pixels[at]! + beside) / 6);
    }
  }
  return soft;
}
