/** The types that a JSON schema gives a field, `line_items[].amount`; none if it lacks the field. */
export function typesOfField(schema: unknown, field: string): string[] {
  const parts = field.replaceAll('[]', '.[]').split('.');
  const found = parts.reduce<unknown[]>((schemas, part) => schemas.flatMap((each) => inside(each, part)), [schema]);
  return found.flatMap(alternatives).flatMap((each) => {
    const { type } = each as { type?: unknown };
    return (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string');
  });
}

function inside(schema: unknown, part: string): unknown[] {
  return alternatives(schema).flatMap((each) => {
    const { items, properties } = each as { items?: unknown; properties?: unknown };
    if (part === '[]') return items === undefined ? [] : [items];
    const isNamed = typeof properties === 'object' && properties !== null && Object.hasOwn(properties, part);
    return isNamed ? [(properties as Record<string, unknown>)[part]] : [];
  });
}

/** A schema and what it is composed of. */
function alternatives(schema: unknown): object[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { anyOf, oneOf, allOf } = schema as Record<string, unknown>;
  return [schema, ...[anyOf, oneOf, allOf].flatMap((each) => (Array.isArray(each) ? each : [])).flatMap(alternatives)];
}
