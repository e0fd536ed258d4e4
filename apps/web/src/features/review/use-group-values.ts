import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { withExactResult, type Extraction, type ReviewItem } from '@docwright/contract';
import { readExtraction } from '../../shared/api/extractions-api.ts';
import { schemaQuery } from '../../shared/api/library-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { shapeOf, type FieldShape, type JsonSchema } from '../../shared/values/field-shape.ts';
import { isFieldNamed } from '../../shared/values/review-labels.ts';
import { formatValue } from '../../shared/values/field-value.ts';
import { schemaAt } from './table-draft.ts';
import type { ReviewGroup } from './queue/use-review.ts';

export interface GroupValues {
  /** Undefined while it is loaded. */
  extraction: Extraction | undefined;
  schema: JsonSchema | undefined;
  schemaRevid: string | undefined;
  /** Whether the schema has checks across its fields. */
  hasChecks: boolean;
  shapeAt: (item: Pick<ReviewItem, 'path' | 'value'>) => FieldShape;
  /** Formats a value; empty if there is none. */
  textOf: (item: Pick<ReviewItem, 'path' | 'value'>) => string;
  isPending: boolean;
}

export const scalarOf = (value: unknown) =>
  value === undefined || typeof value === 'object' ? null : (value as string | number | boolean);

/** Loads the whole result of a document, with its schema. */
export function useGroupValues(group: ReviewGroup | undefined): GroupValues {
  const { orgId } = useSession();
  const first = group?.about;
  const extraction = useQuery({
    queryKey: ['review', orgId, 'extraction', first?.document_id, first?.prompt_revid],
    queryFn: () => readExtraction(orgId, first!.document_id, first!.prompt_revid),
    enabled: first !== undefined,
    staleTime: Infinity,
    select: withExactResult,
  });
  const { refetch } = extraction;
  const shownVersion = extraction.data?.version;
  const isOutdated = first !== undefined && shownVersion !== undefined && first.version > shownVersion;
  useEffect(() => {
    if (isOutdated) void refetch();
  }, [isOutdated, refetch]);
  const schemaRevid = extraction.data?.schema_revid;
  const schema = useQuery({
    ...schemaQuery(orgId, schemaRevid ?? ''),
    enabled: schemaRevid !== undefined,
    staleTime: Infinity,
  });
  const inner = schema.data?.response_format.json_schema.schema;
  const shapeAt: GroupValues['shapeAt'] = ({ path, value }) => shapeOf(schemaAt(inner, path), scalarOf(value));
  return {
    extraction: extraction.data,
    schema: inner,
    schemaRevid,
    hasChecks: (schema.data?.checks ?? []).length > 0,
    shapeAt,
    textOf: (item) => formatValue({ value: scalarOf(item.value), path: item.path, shape: shapeAt(item) }),
    isPending: extraction.isPending || (schemaRevid !== undefined && schema.isPending),
  };
}

/** The paths of the open values that need no check. */
export function restOf(extraction: Extraction | undefined): string[] {
  const reviews = Object.entries(extraction?.review ?? {});
  return reviews.flatMap(([path, { state, to_check }]) => (state === 'open' && !to_check ? [path] : []));
}

/** The key in the browser of what is typed in an editor, until that is closed. */
export const keptKey = ({ document_id, prompt_revid, path }: ReviewItem): string =>
  `docwright.value.review.${document_id}.${prompt_revid}.${path}`;

/** The same of the changed rows of a table, on this version of the result. */
export const keptRowsKey = (item: ReviewItem, path: string, version: number): string =>
  `${keptKey({ ...item, path })}@${version}`;

/** The places of the highlighted value, and of the values that a failed check of the current value names. */
export function otherPlaces(
  { failed_checks = [] }: Pick<ReviewItem, 'failed_checks'>,
  extraction: Extraction | undefined,
  highlightedPath: string | undefined,
): Extraction['grounding'] {
  const named = (extraction?.failed_checks ?? [])
    .filter(({ message }) => failed_checks.includes(message))
    .flatMap(({ fields }) => fields);
  const isShown = (path: string) => path === highlightedPath || named.some((field) => isFieldNamed(path, field));
  return Object.fromEntries(Object.entries(extraction?.grounding ?? {}).filter(([path]) => isShown(path)));
}
