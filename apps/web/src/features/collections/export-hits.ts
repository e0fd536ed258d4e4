import type { SearchAnswer } from '@docwright/contract';
import { csvText } from '../../shared/formats/csv-text.ts';
import { saveFile } from '../../shared/formats/save-file.ts';
import { foundBy, placeOfHit } from './collection-labels.ts';

/** The hits as CSV. */
function hitsAsCsv({ results, mode }: SearchAnswer): string {
  const columns = ['document', 'document_id', 'place', 'heading', 'text', ...(mode === 'hybrid' ? ['found_by'] : [])];
  const rows = results.map((hit) => [
    hit.document_name,
    hit.document_id,
    placeOfHit(hit),
    hit.heading ?? '',
    hit.text,
    ...(mode === 'hybrid' ? [foundBy(hit)] : []),
  ]);
  return csvText({ name: 'hits', columns, rows });
}

export function saveHits(name: string, answer: SearchAnswer, format: 'json' | 'csv'): void {
  const [text, type] =
    format === 'json'
      ? [JSON.stringify(answer.results, null, 2), 'application/json']
      : [hitsAsCsv(answer), 'text/csv;charset=utf-8'];
  saveFile(`${name}.${format}`, new Blob([text], { type }));
}
