import * as contract from '@docwright/contract';
import { z } from 'zod';
import type { Steps } from '../../long-values/in-turns.ts';
import { isJson, plainSchema, shapeOf, type Json } from './plain-schema.ts';

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

interface Media {
  schema?: Json;
}
interface Operation {
  operationId?: string;
  parameters?: { schema?: Json }[];
  requestBody?: { content?: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media>; [extension: `x-${string}`]: unknown }>;
}
export interface NameableDocument {
  paths?: Record<string, Partial<Record<(typeof methods)[number], Operation>>>;
  components?: { schemas?: Record<string, Json>; responses?: Record<string, { content?: Record<string, Media> }> };
}

const besideJson = [
  ['text/event-stream', 'x-event-stream'],
  ['text/csv', 'x-csv'],
  ['application/x-ndjson', 'x-ndjson'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'x-xlsx'],
] as const;

/**
 * Prepares an OpenAPI document for client generators. Every object and union is moved to `components`, under its name
 * in the contract or one derived from its operation and field. Integers get a size, unions of objects a discriminator;
 * object defaults are dropped, and any JSON becomes a schema without a type. An event stream or a table beside JSON
 * moves to a field of its own, such as `x-csv`, since generators accept one body type per status.
 */
export function* nameSchemas(document: NameableDocument): Steps<void> {
  const contractNames = yield* namesOfContract();
  const schemas = (document.components ??= {}).schemas ?? {};
  const names = new SchemaNames(schemas, contractNames);
  for (const item of Object.values(document.paths ?? {})) {
    for (const method of methods) {
      const operation = item[method];
      if (operation === undefined) continue;
      const name = pascal(operation.operationId ?? 'unnamed');
      for (const parameter of operation.parameters ?? []) {
        if (parameter.schema) parameter.schema = listOf(plainSchema(parameter.schema) as Json);
      }
      const bodies = Object.entries(operation.requestBody?.content ?? {});
      for (const [type, media] of bodies) {
        if (media.schema)
          media.schema = names.use(media.schema, type.startsWith('multipart') ? `${name}Form` : `${name}Body`);
      }
      for (const response of Object.values(operation.responses)) {
        for (const [type, media] of Object.entries(response.content ?? {})) {
          if (media.schema)
            media.schema = names.use(media.schema, type === 'text/event-stream' ? `${name}Event` : `${name}Answer`);
        }
        for (const [type, field] of besideJson) {
          const { 'application/json': json, [type]: other } = response.content ?? {};
          if (!json || !other) continue;
          response[field] = other.schema;
          delete response.content?.[type];
        }
      }
      yield;
    }
  }
  document.components.schemas = names.components;
}

/** Names schemas in order of appearance; equal shapes share a name. */
class SchemaNames {
  readonly components: Record<string, Json> = {};
  readonly #byShape = new Map<string, string>();
  readonly #contractNames: ReadonlyMap<string, string>;

  constructor(given: Record<string, Json>, contractNames: ReadonlyMap<string, string>) {
    this.#contractNames = contractNames;
    for (const [name, schema] of Object.entries(given)) {
      if (name === 'JsonValueInput') continue;
      this.components[name] =
        name === 'JsonValue'
          ? { description: 'Any JSON value.' }
          : this.#withNamedParts(plainSchema(schema) as Json, name);
    }
  }

  /** A reference if the schema deserves a name, else the schema with its parts named. */
  use(schema: Json, suggestion: string): Json {
    return this.#named(plainSchema(schema) as Json, suggestion);
  }

  #named(schema: Json, suggestion: string): Json {
    const nonNull = nullableOf(schema);
    if (nonNull !== undefined) return { ...schema, anyOf: [this.#named(nonNull, suggestion), { type: 'null' }] };
    if (!deservesName(schema)) return this.#withNamedParts(schema, suggestion);
    const shape = shapeOf(schema);
    const known = this.#byShape.get(shape);
    const wanted = this.#contractNames.get(shape) ?? suggestion;
    const name = known ?? this.#free(reserved.get(wanted) ?? wanted);
    if (known === undefined) {
      this.#byShape.set(shape, name);
      this.components[name] = {};
      this.components[name] = withDiscriminator(this.#withNamedParts(schema, name), this.components);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #withNamedParts(schema: Json, name: string): Json {
    const parts: Json = { ...schema };
    if (isJson(schema['properties'])) {
      parts['properties'] = Object.fromEntries(
        Object.entries(schema['properties']).map(([key, value]) => [
          key,
          this.#named(value as Json, name + pascal(key)),
        ]),
      );
    }
    if (isJson(schema['items'])) parts['items'] = this.#named(schema['items'], `${name}Item`);
    if (isJson(schema['additionalProperties'])) {
      parts['additionalProperties'] = this.#named(withoutChoices(schema['additionalProperties']), `${name}Value`);
    }
    for (const union of ['anyOf', 'oneOf', 'allOf']) {
      const members = schema[union];
      if (!Array.isArray(members)) continue;
      parts[union] = members.map((member: Json, at) =>
        this.#named(member, `${name}${pascal(tagOf(member) ?? String(at + 1))}`),
      );
    }
    return parts;
  }

  #free(wanted: string): string {
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? wanted : `${wanted}${count}`;
      if (!(name in this.components)) return name;
    }
  }
}

/** Python's generator breaks on lists of choices in a map, named or not: the description lists the choices. */
function withoutChoices({ items, ...list }: Json): Json {
  if (!isJson(items) || !Array.isArray(items['enum'])) return { ...list, ...(items !== undefined && { items }) };
  const { enum: choices, ...item } = items;
  return { ...list, items: { ...item, description: `One of ${(choices as unknown[]).join(', ')}.` } };
}

function deservesName(schema: Json): boolean {
  if (isJson(schema['properties'])) return true;
  const members = schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf'];
  return Array.isArray(members) && members.some((member: Json) => isJson(member['properties']) || '$ref' in member);
}

/** The other member of a union with null, if that is all it is. */
function nullableOf(schema: Json): Json | undefined {
  const members = schema['anyOf'];
  if (!Array.isArray(members) || members.length !== 2) return undefined;
  const [first, second] = members as [Json, Json];
  return second['type'] === 'null' && deservesName(first) ? first : undefined;
}

/** The discriminator value of this member of a union of objects. */
function tagOf(member: Json): string | undefined {
  const properties = member['properties'];
  if (!isJson(properties)) return undefined;
  for (const name of tagNames) {
    const values = isJson(properties[name]) ? properties[name]['enum'] : undefined;
    if (Array.isArray(values) && values.length === 1) return String(values[0]);
  }
  return undefined;
}
const tagNames = ['type', 'kind', 'mode'];

function withDiscriminator(schema: Json, components: Record<string, Json>): Json {
  const members = schema['oneOf'] ?? schema['anyOf'];
  if (!Array.isArray(members)) return schema;
  const targets = members.map((member: Json) => {
    const reference = typeof member['$ref'] === 'string' ? member['$ref'] : '';
    return { reference, component: components[reference.replace('#/components/schemas/', '')] ?? {} };
  });
  const propertyName = tagNames.find((name) =>
    targets.every(({ component }) => {
      const tag = isJson(component['properties']) ? component['properties'][name] : undefined;
      return isJson(tag) && Array.isArray(tag['enum']) && tag['enum'].length === 1;
    }),
  );
  if (propertyName === undefined) return schema;
  const mapping = Object.fromEntries(targets.map(({ reference, component }) => [tagOf(component), reference]));
  const { anyOf: _any, oneOf: _one, ...rest } = schema;
  return { ...rest, oneOf: members, discriminator: { propertyName, mapping } };
}

/** openapi-generator uses a Java class of this name for its own annotation. */
const reserved = new Map([['Schema', 'SavedSchema']]);

/** A parameter that accepts one value or several is a list: Java has no type for a string or a list of strings. */
function listOf(schema: Json): Json {
  const members = schema['anyOf'];
  if (!Array.isArray(members) || members.length !== 2) return schema;
  const [one, many] = members as [Json, Json];
  return many['type'] === 'array' && shapeOf((many['items'] ?? {}) as Json) === shapeOf(one) ? many : schema;
}

/** The contract's names by shape, for both outputs and inputs. */
function* namesOfContract(): Steps<Map<string, string>> {
  const names = new Map<string, string>();
  for (const io of ['output', 'input'] as const) {
    for (const [name, schema] of Object.entries(contract)) {
      yield;
      if (!(schema instanceof z.ZodType)) continue;
      const json = tryJsonSchema(schema, io);
      if (json === undefined || !deservesName(json)) continue;
      const shape = shapeOf(json);
      const wanted = pascal(name);
      const isTaken = [...names.values()].includes(wanted);
      // A body is only sent, so its name means the input shape.
      if (!names.has(shape)) names.set(shape, isTaken && !wanted.endsWith('Body') ? `${wanted}Input` : wanted);
    }
  }
  return names;
}

/** Schemas with transforms have no JSON Schema. */
function tryJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json | undefined {
  try {
    const json = z.toJSONSchema(schema, { io, target: 'draft-2020-12', reused: 'inline' });
    return plainSchema(
      JSON.parse(JSON.stringify(json).replaceAll('#/$defs/', '#/components/schemas/'), dropDefinitions),
    ) as Json;
  } catch {
    return undefined;
  }
}

function dropDefinitions(key: string, value: unknown): unknown {
  return key === '$defs' ? undefined : value;
}

function pascal(name: string): string {
  return name
    .replaceAll(/(?:^|[^a-zA-Z0-9])+([a-zA-Z0-9])/g, (_, first: string) => first.toUpperCase())
    .replaceAll(/[^a-zA-Z0-9]/g, '');
}
