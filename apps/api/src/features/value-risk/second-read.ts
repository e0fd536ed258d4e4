import type { ResponseFormat } from '@docwright/contract';
import { compareResultsYielding } from '@docwright/scorer';

/**
 * Where a second read found something else: its value, by the path of the first read's value. Rows are aligned, so that
 * one row too many does not make all after it differ.
 */
export async function differingValues(
  first: unknown,
  second: unknown,
  schema: unknown,
): Promise<Record<string, unknown>> {
  const { differences } = await compareResultsYielding({
    truth: first,
    before: second,
    after: first,
    truthSchema: schema,
    candidateSchema: schema,
  });
  // Held against the first answer, what the second has otherwise is what going back to the first would mend.
  const wrong = differences.filter(({ kind }) => kind === 'fixed');
  return Object.fromEntries(wrong.map(({ path, before }) => [path, before]));
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
