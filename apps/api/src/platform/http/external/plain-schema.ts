/** A part of a JSON Schema. */
export type Json = Record<string, unknown>;

const safe = Number.MAX_SAFE_INTEGER;

/** The schema in the form that generators know. */
export function plainSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainSchema);
  if (!isJson(value)) return value;
  const schema: Json = {};
  for (const [key, part] of Object.entries(value)) {
    if (key === '$schema' || key === '$id' || key === 'id') continue;
    if (key === 'default' && typeof part === 'object' && part !== null) continue;
    // Java's generator gives a boolean constant a string as default.
    if (isOneBoolean(key, part)) continue;
    if (key === 'const' && typeof part === 'string') schema['enum'] = [part];
    else if (key === 'examples' || key === 'enum' || key === 'default') schema[key] = part;
    else if (key === 'properties' && isJson(part)) {
      const required = Array.isArray(value['required']) ? value['required'] : [];
      schema[key] = Object.fromEntries(
        Object.entries(part).map(([name, property]) => [
          name,
          required.includes(name) ? plainSchema(property) : optional(plainSchema(property)),
        ]),
      );
    } else schema[key] = plainSchema(part);
  }
  sameTuple(schema);
  simpleUnion(schema);
  if (schema['$ref'] === '#/components/schemas/JsonValueInput') schema['$ref'] = '#/components/schemas/JsonValue';
  if (schema['type'] === 'integer') {
    if (schema['maximum'] === safe) delete schema['maximum'];
    if (schema['minimum'] === -safe) delete schema['minimum'];
    const { maximum } = schema;
    schema['format'] = typeof maximum === 'number' && maximum < 2 ** 31 ? 'int32' : 'int64';
  }
  return schema;
}

/** Generators for Go and Python know no tuples: one of equal parts is a list of that length. */
function sameTuple(schema: Json): void {
  const parts = schema['prefixItems'];
  if (!Array.isArray(parts) || new Set(parts.map((part: Json) => shapeOf(part))).size !== 1) return;
  delete schema['prefixItems'];
  Object.assign(schema, { items: parts[0] as Json, minItems: parts.length, maxItems: parts.length });
}

/** A union of simple types has a form that generators know: one list of choices, else `anyOf`. Go's knows one type at a time. */
function simpleUnion(schema: Json): void {
  const { type, anyOf: members } = schema;
  if (Array.isArray(type) && type.filter((one) => one !== 'null').length > 1) {
    delete schema['type'];
    schema['anyOf'] = type.map((one: unknown) => ({ type: one }));
  }
  if (!Array.isArray(members) || !members.every(isChoice)) return;
  delete schema['anyOf'];
  Object.assign(schema, { type: 'string', enum: [...new Set(members.flatMap((member) => member.enum))] });
}

function isChoice(member: unknown): member is { type: 'string'; enum: unknown[] } {
  return isJson(member) && member['type'] === 'string' && Array.isArray(member['enum']);
}

function isOneBoolean(key: string, part: unknown): boolean {
  if (key === 'const') return typeof part === 'boolean';
  return key === 'enum' && Array.isArray(part) && part.length === 1 && typeof part[0] === 'boolean';
}

/** openapi-typescript makes a field with a default required; the description states the default instead. */
function optional(schema: unknown): unknown {
  if (!isJson(schema) || !('default' in schema)) return schema;
  const { default: value, description, ...rest } = schema;
  const note = `Without it: ${JSON.stringify(value)}.`;
  return { ...rest, description: typeof description === 'string' ? `${description} ${note}` : note };
}

/** Equal for schemas that accept the same values. */
export function shapeOf(schema: Json): string {
  return JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'description' || key === 'examples' || key === 'title') return undefined;
    if (!isJson(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
