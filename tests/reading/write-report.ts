import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { drawPage } from '@docwright/documents';
import type { FileReport, PageReport } from './compare-file.ts';
import { countsOf, type Known } from './summary.ts';
import type { PlacedWord } from './words.ts';

/** More files or words would make a page that no browser opens. */
const maxFiles = 200;
const maxPictures = 3;
const maxWords = 200;

const style =
  '<meta charset="utf-8"><style>body{font:14px sans-serif}figure{position:relative;display:inline-block;margin:8px;border:1px solid #999}figure i{position:absolute;border:1px solid red;background:#f002}figure i.much{border-color:blue;background:#00f2}</style>';

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Writes `index.html` with all files that differ and their pictures, and `files.json` with all words. Returns its path. */
export async function writeReport(reports: readonly FileReport[], folder: string, known: Known): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, 'files.json'),
    JSON.stringify(reports.map((one) => ({ ...countsOf(one), ...one }))),
  );
  const differing = reports
    .map((report) => ({ report, counts: countsOf(report) }))
    .filter(({ counts, report }) => counts.missing + counts.tooMany > 0 || report.refused !== undefined)
    .sort((one, other) => other.counts.missing + other.counts.tooMany - one.counts.missing - one.counts.tooMany);
  const parts: string[] = [style, '<h1>Reading</h1><p>Red: shown and not read. Blue: read and not shown.</p>'];
  for (const [index, { report, counts }] of differing.slice(0, maxFiles).entries()) {
    parts.push(
      `<h2>${escaped(report.name)}</h2><p>${counts.missing} of ${counts.shown} missing, ${counts.tooMany} too many.`,
    );
    parts.push(` ${escaped(report.refused ?? '')} ${escaped(known[report.name] ?? '')}</p>`);
    const pages = report.pages
      .filter(({ missing, tooMany }) => missing.length + tooMany.length > 0)
      .slice(0, maxPictures);
    for (const page of pages) {
      const words = (list: readonly PlacedWord[]): string =>
        escaped(
          list
            .slice(0, maxWords)
            .map(({ text }) => text)
            .join(' · '),
        );
      parts.push(`<p>Page ${page.pageNumber}. Missing: ${words(page.missing)}<br>Too many: ${words(page.tooMany)}</p>`);
      if (report.mimeType === 'application/pdf')
        parts.push(await figure(report, page, folder, `${index}-${page.pageNumber}.jpg`));
    }
  }
  const place = path.join(folder, 'index.html');
  await writeFile(place, parts.join('\n'));
  return place;
}

async function figure({ file }: FileReport, page: PageReport, folder: string, name: string): Promise<string> {
  const bytes = await readFile(file);
  const drawn = await drawPage({
    bytes,
    mimeType: 'application/pdf',
    pageNumber: page.pageNumber,
    longestSide: 1_000,
  }).catch(() => undefined);
  if (!drawn) return '';
  await writeFile(path.join(folder, name), drawn.bytes);
  const { width, height } = page.size ?? drawn;
  const box = ({ place }: PlacedWord, kind: string): string =>
    place
      ? `<i class="${kind}" style="left:${(100 * place.x0) / width}%;top:${(100 * place.y0) / height}%;width:${(100 * (place.x1 - place.x0)) / width}%;height:${(100 * (place.y1 - place.y0)) / height}%"></i>`
      : '';
  const boxes = [...page.missing.map((word) => box(word, 'less')), ...page.tooMany.map((word) => box(word, 'much'))];
  return `<figure><img src="${name}">${boxes.join('')}</figure>`;
}
