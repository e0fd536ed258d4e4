import type { ResponseFormat } from '@docwright/contract';
import { compareResults } from '@docwright/scorer';

/**
 * The values of the second read that differ, by the path in the first read. Rows are aligned, so that an additional row
 * does not make all later rows differ.
 */
export async function differingValues(
  first: unknown,
  second: unknown,
  schema: unknown,
): Promise<Record<string, unknown>> {
  const { differences } = await compareResults({
    truth: first,
    before: second,
    after: first,
    truthSchema: schema,
    candidateSchema: schema,
  });
  // The scorer compares with the first read as the truth: each differing value is then "fixed" by it.
  const differing = differences.filter(({ kind }) => kind === 'fixed');
  return Object.fromEntries(differing.map(({ path, before }) => [path, before]));
}

/** The same format with the properties of every object in reverse order. */
export function reorderedFields(format: ResponseFormat): ResponseFormat {
  const schema = reversed(format.json_schema.schema) as ResponseFormat['json_schema']['schema'];
  return { ...format, json_schema: { ...format.json_schema, schema } };
}

function reversed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(reversed);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key === 'required' && Array.isArray(value)) return [key, value.toReversed()];
      if (key !== 'properties' || typeof value !== 'object' || value === null) return [key, reversed(value)];
      return [
        key,
        Object.fromEntries(
          Object.entries(value)
            .toReversed()
            .map(([name, child]) => [name, reversed(child)]),
        ),
      ];
    }),
  );
}
