import { z } from 'zod';
import { isLongValue, noteLong, setMember } from './long-json.ts';

type Node = Record<string, unknown>;
type AnySchema = z.core.$ZodType;

/** Members of a list or record that are checked before other work can have its turn. */
const checkedAtOnce = 100;

/**
 * Encodes a value with its schema, as `z.safeEncode` does, in steps: a long list or record some members at a time. Throws the
 * error of the part that does not fit.
 */
export function* encodeSteps(schema: AnySchema, value: unknown): Generator<void, unknown, undefined> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (typeof value !== 'object' || value === null || !isLongValue(value)) return z.encode(schema, value);
  switch (def.type) {
    case 'unknown':
    case 'any':
      return value;
    case 'optional':
    case 'nullable':
    case 'nonoptional':
      return yield* encodeSteps(def.innerType, value);
    case 'lazy':
      return yield* encodeSteps(def.getter(), value);
    case 'array':
      return Array.isArray(value) && !hasChecks(def) ? yield* encodeList(def.element, value) : z.encode(schema, value);
    case 'record':
      return isText(def.keyType) && !hasChecks(def) && !Array.isArray(value)
        ? yield* encodeRecord(schema, def.valueType, value as Node)
        : z.encode(schema, value);
    case 'object':
      return hasChecks(def) || Array.isArray(value)
        ? z.encode(schema, value)
        : yield* encodeObject(schema as z.core.$ZodObject, value as Node);
    case 'union': {
      const option = optionOf(def, value as Node);
      return option === undefined ? z.encode(schema, value) : yield* encodeSteps(option, value);
    }
    default:
      return z.encode(schema, value);
  }
}

function hasChecks({ checks = [] }: { checks?: readonly unknown[] | undefined }): boolean {
  return checks.length > 0;
}

function isText(schema: AnySchema): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'string' && !hasChecks(def);
}

function* encodeList(element: AnySchema, list: readonly unknown[]): Generator<void, unknown[], undefined> {
  const encoded: unknown[] = noteLong([]);
  for (const [at, member] of list.entries()) {
    encoded.push(yield* encodeSteps(element, member));
    if (at % checkedAtOnce === 0) yield;
  }
  return encoded;
}

function* encodeRecord(record: AnySchema, member: AnySchema, value: Node): Generator<void, Node, undefined> {
  const encoded: Node = noteLong({});
  let batch: [string, unknown][] = [];
  const encodeBatch = (): void => {
    for (const [key, done] of Object.entries(z.encode(record, Object.fromEntries(batch)) as Node))
      setMember(encoded, key, done);
    batch = [];
  };
  yield;
  const keys = Object.keys(value);
  yield;
  for (const key of keys) {
    const own = value[key];
    if (isLongValue(own)) setMember(encoded, key, yield* encodeSteps(member, own));
    else batch.push([key, own]);
    if (batch.length < checkedAtOnce) continue;
    encodeBatch();
    yield;
  }
  encodeBatch();
  return encoded;
}

/** Encodes the long members apart, and the others together. */
function* encodeObject(schema: z.core.$ZodObject, value: Node): Generator<void, unknown, undefined> {
  const { shape } = schema._zod.def;
  const long = Object.keys(shape).filter((key) => Object.hasOwn(value, key) && isLongValue(value[key]));
  const others = Object.fromEntries(Object.entries(value).filter(([key]) => !long.includes(key)));
  const short = z.encode(withoutKeys(schema, long), others) as Node;
  const encoded: Node = noteLong({});
  yield;
  // In the order of the schema, as zod has it.
  for (const key of Object.keys(shape)) {
    if (long.includes(key)) encoded[key] = yield* encodeSteps(shape[key]!, value[key]);
    else if (Object.hasOwn(short, key)) encoded[key] = short[key];
  }
  for (const key of Object.keys(short)) if (!Object.hasOwn(encoded, key)) setMember(encoded, key, short[key]);
  return encoded;
}

const shortened = new WeakMap<AnySchema, Map<string, AnySchema>>();

function withoutKeys(schema: z.core.$ZodObject, keys: readonly string[]): AnySchema {
  const known = shortened.get(schema) ?? new Map<string, AnySchema>();
  shortened.set(schema, known);
  const id = keys.join(' ');
  const found = known.get(id);
  if (found !== undefined) return found;
  const { shape, catchall } = schema._zod.def;
  const rest = Object.fromEntries(Object.entries(shape).filter(([key]) => !keys.includes(key)));
  const made = catchall === undefined ? z.object(rest) : z.object(rest).catchall(catchall);
  known.set(id, made);
  return made;
}

/** The option of a union that the value names by its discriminator; undefined for other unions. */
function optionOf(def: z.core.$ZodUnionDef, value: Node): AnySchema | undefined {
  const { discriminator } = def as Partial<z.core.$ZodDiscriminatedUnionDef>;
  if (discriminator === undefined) return undefined;
  return def.options.find((option) =>
    option._zod.propValues?.[discriminator]?.has(value[discriminator] as z.core.util.Primitive),
  );
}
