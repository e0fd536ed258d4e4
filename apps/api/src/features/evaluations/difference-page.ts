import { differenceKind, type DifferenceListQuery, type EvaluationDifference } from '@docwright/contract';
import type { StoredDifference } from './records/evaluated-document.ts';
import type { MeasuredDocument } from './records/evaluation-repository.ts';

/** Reads one page of the differences, broken first. Reads only the documents of this page. */
export async function pageOfDifferences({
  documents,
  names,
  read,
  query: { kind, field, document_id, skip, limit },
}: {
  documents: readonly MeasuredDocument[];
  names: ReadonlyMap<string, string>;
  read: (documentId: string) => Promise<StoredDifference[]>;
  query: DifferenceListQuery;
}): Promise<{ differences: EvaluationDifference[]; total_count: number; skip: number; limit: number }> {
  const reads = new Map<string, Promise<StoredDifference[]>>();
  const differencesOf = (documentId: string) => {
    const reading = reads.get(documentId) ?? read(documentId);
    reads.set(documentId, reading);
    return reading;
  };
  const differences: EvaluationDifference[] = [];
  let passed = 0;
  for (const currentKind of differenceKind.options) {
    if (kind !== undefined && currentKind !== kind) continue;
    for (const document of documents) {
      if (document_id !== undefined && document.document_id !== document_id) continue;
      const count = countIn(document, currentKind, field);
      const from = Math.max(skip - passed, 0);
      const room = skip + limit - Math.max(passed, skip);
      if (count > from && room > 0) {
        const found = (await differencesOf(document.document_id)).filter(
          (difference) => difference.kind === currentKind && (field === undefined || difference.field === field),
        );
        differences.push(...found.slice(from, from + room).map((difference) => present(difference, document, names)));
      }
      passed += count;
    }
  }
  return { differences, total_count: passed, skip, limit };
}

function countIn({ differenceCounts }: MeasuredDocument, kind: string, field: string | undefined): number {
  const byField = differenceCounts[kind] ?? {};
  if (field !== undefined) return Object.hasOwn(byField, field) ? byField[field]! : 0;
  return Object.values(byField).reduce((sum, count) => sum + count, 0);
}

function present(
  { after_path: _moved, ...difference }: StoredDifference,
  { document_id, prompt_revid }: MeasuredDocument,
  names: ReadonlyMap<string, string>,
): EvaluationDifference {
  return { ...difference, document_id, prompt_revid, document_name: names.get(document_id) ?? '' };
}
