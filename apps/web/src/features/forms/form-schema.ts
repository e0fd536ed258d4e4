import { isRecord } from '../../shared/http/json-value.ts';
import { shapeOf, type FieldShape, type JsonSchema } from '../../shared/values/field-shape.ts';

/** The kind of control for one place of a form. */
export type FormShape =
  | { kind: 'scalar'; shape: FieldShape }
  | { kind: 'object'; nullable: boolean; properties: [key: string, schema: JsonSchema][] }
  | { kind: 'list'; nullable: boolean; item: JsonSchema }
  /** Edited as JSON, since no control fits. */
  | { kind: 'json' };

const maxReferences = 20;
const maxDepth = 8;

/** The schema that a chain of local `$ref` leads to. */
function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let found = schema;
  for (let step = 0; step < maxReferences && typeof found['$ref'] === 'string'; step += 1) {
    found = at(root, found['$ref']) ?? {};
  }
  return found;
}

function at(root: JsonSchema, pointer: string): JsonSchema | undefined {
  const keys = pointer.replace(/^#\/?/u, '').split('/').filter(Boolean);
  let place: unknown = root;
  for (const key of keys) {
    const name = decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');
    place = isRecord(place) ? place[name] : undefined;
  }
  return isRecord(place) ? place : undefined;
}

/** The alternatives of a schema except null, merged with the keywords beside them, and whether null is one. */
function alternativesOf(schema: JsonSchema, root: JsonSchema): { own: JsonSchema[]; nullable: boolean } {
  const plain = resolved(schema, root);
  const several = plain['anyOf'] ?? plain['oneOf'];
  if (!Array.isArray(several)) {
    const types = [plain['type']].flat();
    return { own: [plain], nullable: types.includes('null') || constants(plain).includes(null) };
  }
  const all = several.filter(isRecord).map((each) => resolved(each, root));
  return {
    own: all.filter((each) => each['type'] !== 'null').map((each) => ({ ...plain, anyOf: undefined, ...each })),
    nullable: all.some((each) => each['type'] === 'null'),
  };
}

const constants = (schema: JsonSchema): unknown[] => (Array.isArray(schema['enum']) ? schema['enum'] : []);

export function formShape(schema: JsonSchema, root: JsonSchema): FormShape {
  const { own, nullable } = alternativesOf(schema, root);
  const [only] = own;
  if (!only || own.length > 1) return { kind: 'json' };
  const types = [only['type']].flat().filter((type) => type !== 'null' && type !== undefined);
  const [type] = types;
  if (types.length > 1) return { kind: 'json' };
  if (type === 'object' || isRecord(only['properties'])) {
    const properties = Object.entries(isRecord(only['properties']) ? only['properties'] : {});
    return { kind: 'object', nullable, properties: properties.map(([key, each]) => [key, isRecord(each) ? each : {}]) };
  }
  if (type === 'array') {
    return isRecord(only['items']) ? { kind: 'list', nullable, item: only['items'] } : { kind: 'json' };
  }
  if (type === undefined && constants(only).length === 0) return { kind: 'json' };
  const [option] = constants(only).filter((each) => each !== null);
  const shape = shapeOf(only, typeof option === 'number' || typeof option === 'boolean' ? option : '');
  return { kind: 'scalar', shape: { ...shape, nullable } };
}

/** The initial value of a new place: its default, else null if allowed, else the empty value of its type. */
export function emptyValue(schema: JsonSchema, root: JsonSchema, depth = 0): unknown {
  const plain = resolved(schema, root);
  if ('default' in plain) return plain['default'];
  if ('const' in plain) return plain['const'];
  const form = formShape(schema, root);
  if (form.kind === 'json' || depth > maxDepth) return null;
  if (form.kind === 'scalar') {
    return form.shape.nullable || form.shape.type !== 'text' || form.shape.options ? null : '';
  }
  return form.nullable && depth > 0 ? null : filledValue(schema, root, depth);
}

/** The initial value of an object or list that the user fills in, although it could be null. */
export function filledValue(schema: JsonSchema, root: JsonSchema, depth = 0): unknown {
  const form = formShape(schema, root);
  if (form.kind === 'list') return [];
  if (form.kind !== 'object') return emptyValue(schema, root, depth);
  return Object.fromEntries(form.properties.map(([key, each]) => [key, emptyValue(each, root, depth + 1)]));
}

/** The properties of a list's items that are single values: the columns of a table. */
export function columnsOf(item: JsonSchema, root: JsonSchema): [key: string, schema: JsonSchema, shape: FieldShape][] {
  const form = formShape(item, root);
  if (form.kind !== 'object') return [];
  const columns = form.properties.map(([key, each]) => [key, each, formShape(each, root)] as const);
  return columns.flatMap(([key, each, shape]) => (shape.kind === 'scalar' ? [[key, each, shape.shape]] : []));
}
