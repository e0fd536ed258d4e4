/** The supported part of JSON Schema (draft 7). */
export interface FieldSchema {
  type?: string | string[];
  properties?: Record<string, FieldSchema>;
  items?: FieldSchema;
  required?: string[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
  title?: string;
  format?: string;
  pattern?: string;
  minimum?: number;
  anyOf?: FieldSchema[];
  oneOf?: FieldSchema[];
  allOf?: FieldSchema[];
  $ref?: string;
  $defs?: Record<string, FieldSchema>;
  definitions?: Record<string, FieldSchema>;
  minItems?: number;
  minLength?: number;
  default?: unknown;
  additionalProperties?: unknown;
}

const maxReferenceDepth = 12;

/** Follows local references and chooses the variant that is not null, so that the result describes the value itself. */
export function resolveSchema(schema: FieldSchema, root: FieldSchema, depth = 0): FieldSchema {
  if (depth > maxReferenceDepth) return {};
  if (schema.$ref !== undefined) {
    const target = referenced(schema.$ref, root);
    return target ? { ...resolveSchema(target, root, depth + 1), ...described(schema) } : {};
  }
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) {
    const nullable = variants.some((variant) => variant.type === 'null');
    const chosen = variants.find((variant) => variant.type !== 'null') ?? {};
    const resolved = { ...resolveSchema(chosen, root, depth + 1), ...described(schema) };
    return nullable ? { ...resolved, type: [...typesOf(resolved), 'null'] } : resolved;
  }
  if (schema.allOf) {
    const parts = schema.allOf.map((part) => resolveSchema(part, root, depth + 1));
    return Object.assign({}, ...parts, described(schema)) as FieldSchema;
  }
  return schema;
}

function described(schema: FieldSchema): FieldSchema {
  return schema.description === undefined ? {} : { description: schema.description };
}

function referenced(reference: string, root: FieldSchema): FieldSchema | undefined {
  if (reference === '#') return root;
  const match = /^#\/(definitions|\$defs)\/([^/]+)$/u.exec(reference);
  const [, place, name] = match ?? [];
  if (name === undefined) return undefined;
  return (place === 'definitions' ? root.definitions : root.$defs)?.[decodeURIComponent(name)];
}

/** The allowed types of a value; guessed from the keywords when `type` is missing. */
export function typesOf(schema: FieldSchema): string[] {
  if (schema.type !== undefined) return Array.isArray(schema.type) ? schema.type : [schema.type];
  if (schema.properties) return ['object'];
  if (schema.items) return ['array'];
  return schema.enum || schema.const !== undefined ? [] : ['string', 'null'];
}

/** Whether null is allowed for a missing value. */
function allowsNull(schema: FieldSchema): boolean {
  if (schema.enum) return schema.enum.includes(null);
  return typesOf(schema).includes('null');
}

const maxEmptyDepth = 12;

/**
 * The value for "not found". It is never made up: an unknown number, boolean or choice is null even if the schema does
 * not allow null, so that validation reports the missing value. Text is `""` unless a pattern, a format or a minimum
 * length forbids it. A schema that contains itself ends in null.
 *
 * @example emptyValue({ type: 'number' }, {}) // null
 * @example emptyValue({ type: 'string' }, {}) // ''
 */
export function emptyValue(schema: FieldSchema, root: FieldSchema, depth = 0): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum || allowsNull(schema) || depth > maxEmptyDepth) return emptyChoice(schema);
  const [type] = typesOf(schema);
  const inside = (part: FieldSchema) => emptyValue(resolveSchema(part, root), root, depth + 1);
  if (type === 'array') return Array.from({ length: schema.minItems ?? 0 }, () => inside(schema.items ?? {}));
  if (type === 'object') {
    const properties = Object.entries(schema.properties ?? {});
    return Object.fromEntries(properties.map(([name, property]) => [name, inside(property)]));
  }
  return type === 'string' && allowsEmptyText(schema) ? '' : null;
}

function allowsEmptyText({ pattern, format, minLength }: FieldSchema): boolean {
  return pattern === undefined && format === undefined && (minLength ?? 0) === 0;
}

/** The choice that itself means "unknown", otherwise null. */
function emptyChoice(schema: FieldSchema): unknown {
  if (allowsNull(schema) || !schema.enum) return null;
  return schema.enum.find((choice) => /^(?:|unknown|n\/?a)$/iu.test(String(choice))) ?? null;
}
