import * as fc from 'fast-check';
import {
  malformedHosts,
  oddBodies,
  oddHeaders,
  oddQueryTails,
  oddSegments,
  oddValues,
  writeJson,
} from './odd-values.ts';
import { bodiesWithUnstorable } from './unstorable-bodies.ts';
import type { JsonSchema, Operation } from './operations.ts';
import type { SentRequest } from './send-request.ts';

/** Existing ids and values for requests. */
export interface Known {
  /** Valid values of a path's parameter. */
  segments(path: string, parameter: string): readonly string[];
  /** Ids of another organization: well-formed, but not accessible. */
  foreign(parameter: string): readonly string[];
  /** All existing ids, for fields of bodies. */
  ids: readonly string[];
  /** Valid values of a field, so that an odd value beside it is what fails. */
  fields: Readonly<Record<string, readonly unknown[]>>;
  /** Valid bodies of routes without a schema. */
  bodies(operation: string): readonly object[];
  headersOf(operation: string): Record<string, string>;
}

/** Requests with at least one odd part each: some kinds completely, the others at random. */
export function oddRequests(
  operation: Operation,
  known: Known,
  { seed, numRuns }: { seed: number; numRuns: number },
): SentRequest[] {
  const { byChance, withHeader, withBody } = requestsOf(operation, known);
  const one = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.sample(arbitrary, { seed, numRuns: 1 });
  return [
    ...malformedHosts.flatMap((headers) => one(withHeader(headers))),
    ...fc
      .sample(bodyOf(operation, known), { seed, numRuns: 2 })
      .flatMap((body) => bodiesWithUnstorable(operation.body, body))
      .flatMap((body) => one(withBody(body))),
    ...fc.sample(byChance, { seed, numRuns }),
  ];
}

/** Valid bodies, as far as the schema and the known values allow. */
export function plausibleBodies(
  operation: Operation,
  known: Known,
  sample: { seed: number; numRuns: number },
): unknown[] {
  return fc.sample(bodyOf(operation, known), sample);
}

/** Undefined if it takes none. */
function bodyOf({ body, name }: Operation, known: Known): fc.Arbitrary<unknown> {
  const bodies = known.bodies(name);
  if (body === undefined) return fc.constant(undefined);
  return bodies.length > 0 ? fc.constantFrom(...bodies) : plausible(body, known);
}

function requestsOf(operation: Operation, known: Known) {
  const { body, query, method } = operation;
  const path = pathOf(operation, known);
  const plain = bodyOf(operation, known);
  const json = (value: fc.Arbitrary<unknown>) =>
    fc
      .record({ path, body: value })
      .map(({ path: place, body: given }) =>
        requestOf(
          place,
          given === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: writeJson(given) },
        ),
      );
  const requestOf = (
    place: string,
    { headers = {}, body: sent }: Partial<Pick<SentRequest, 'headers' | 'body'>>,
  ): SentRequest => ({
    method,
    path: place,
    headers: { ...known.headersOf(operation.name), ...headers },
    ...(sent !== undefined && { body: sent }),
  });
  const withOddPath = fc
    .tuple(json(plain), operation.pathParameters.length > 0 ? oddPathOf(operation, known) : path)
    .map(([request, odd]) => ({ ...request, path: odd }));
  // Existing objects are not deleted: other requests need them.
  const asked = method === 'DELETE' ? withOddPath : json(plain);
  const withHeader = (headers: Record<string, string>) =>
    asked.map((request) => ({ ...request, headers: { ...request.headers, ...headers } }));
  const withHeaders = fc.constantFrom(...oddHeaders).chain(withHeader);
  const withBody = (given: unknown) => json(fc.constant(given));
  const raw = fc.tuple(path, fc.constantFrom(...oddBodies)).map(([place, odd]) => requestOf(place, odd));
  const withQuery = fc
    .tuple(json(plain), oddQuery(query.map(({ name }) => name)))
    .map(([request, odd]) => ({ ...request, path: `${request.path}?${odd}` }));
  const whole = json(fc.constantFrom(...oddValues));
  const mutated = json(fc.tuple(plain, mutation).map(([value, change]) => change(value)));

  const pathWeight = operation.pathParameters.length > 0 ? 2 : 0;
  const byChance = fc.oneof(
    { weight: pathWeight, arbitrary: withOddPath },
    { weight: query.length * 2 + 1, arbitrary: withQuery },
    { weight: 1, arbitrary: withHeaders },
    { weight: body === undefined ? 1 : 3, arbitrary: raw },
    ...(body === undefined
      ? []
      : [
          { weight: 2, arbitrary: whole },
          { weight: 12, arbitrary: mutated },
        ]),
  );
  return { byChance: method === 'DELETE' ? withOddPath : byChance, withHeader, withBody };
}

function pathOf({ path, pathParameters }: Operation, known: Known): fc.Arbitrary<string> {
  const values = pathParameters.map((name) => fc.constantFrom(...known.segments(path, name)));
  return fc.tuple(...values).map((segments) => filled(path, pathParameters, segments));
}

function oddPathOf({ path, pathParameters }: Operation, known: Known): fc.Arbitrary<string> {
  const truly = pathParameters.map((name) => fc.constantFrom(...known.segments(path, name)));
  // Only one parameter is odd: with several, the first lookup would hide the others.
  return fc
    .tuple(
      fc.tuple(...truly),
      fc.nat(Math.max(0, pathParameters.length - 1)),
      fc.constantFrom(...oddSegments),
      fc.boolean(),
    )
    .chain(([segments, at, odd, foreign]) =>
      fc
        .constantFrom(...(foreign ? known.foreign(pathParameters[at] ?? '') : [odd]))
        .map((value) => filled(path, pathParameters, segments.with(at, value))),
    );
}

function filled(path: string, names: readonly string[], segments: readonly string[]): string {
  return names.reduce((place, name, at) => place.replace(`{${name}}`, () => segments[at] ?? ''), path);
}

function oddQuery(names: readonly string[]): fc.Arbitrary<string> {
  const name = fc.constantFrom(...names, 'unknown', '__proto__', 'skip');
  const pair = fc.tuple(name, fc.constantFrom(...oddQueryTails)).map(([key, tail]) => `${key}${tail}`);
  return fc.oneof(
    { weight: 4, arbitrary: pair },
    { weight: 1, arbitrary: fc.tuple(pair, pair).map((pairs) => pairs.join('&')) },
    { weight: 1, arbitrary: name.map((key) => `${key}=1&${key}=2`) },
  );
}

const words = ['Invoice', 'total', 'create a schema for this invoice and extract it', '1', 'create_tag', 'user'];

/** A roughly valid value for the schema; unknown formats are random. */
function plausible(schema: JsonSchema, known: Known, nesting = 0): fc.Arbitrary<unknown> {
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return fc.oneof(...options.map((option) => plausible(option, known, nesting)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'string':
      return schema.pattern?.includes('{24}') === true
        ? fc.constantFrom(...known.ids)
        : fc.constantFrom(...words, ...known.ids);
    case 'integer':
    case 'number':
      return fc.integer({ min: Math.ceil(Math.max(0, schema.minimum ?? 0)), max: 5 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(plausible(schema.items ?? {}, known, nesting + 1), { minLength: 1, maxLength: 2 });
    case 'object':
      return plausibleObject(schema, known, nesting);
    default:
      return fc.oneof(fc.constantFrom(...words), fc.constantFrom(...oddValues));
  }
}

/** The required fields and few others: with more fields, another one is more likely refused before the odd one. */
function plausibleObject(
  { properties = {}, required = [] }: JsonSchema,
  known: Known,
  nesting: number,
): fc.Arbitrary<object> {
  const optional = Object.keys(properties).filter((key) => !required.includes(key));
  return fc.subarray(optional, { maxLength: Math.min(2, optional.length) }).chain((chosen) => {
    const values = [...required, ...chosen].map((key) => [
      key,
      plausibleField(key, properties[key] ?? {}, known, nesting),
    ]);
    return fc.record(Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>);
  });
}

function plausibleField(name: string, schema: JsonSchema, known: Known, nesting: number): fc.Arbitrary<unknown> {
  const truly = known.fields[name];
  const any = plausible(schema, known, nesting + 1);
  return truly === undefined
    ? any
    : fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...truly) }, { weight: 1, arbitrary: any });
}

type Change = (value: unknown) => unknown;

/** Changes one place of a value: replaces it, removes it, or adds a field beside it. */
const mutation: fc.Arbitrary<Change> = fc
  .tuple(
    fc.nat(1_000),
    fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add'),
    fc.constantFrom(...oddValues),
  )
  .map(([place, how, odd]) => (value) => {
    const copy = { whole: structuredClone(value) };
    const places = placesIn(copy);
    const at = places[place % places.length];
    if (!at) return odd;
    if (how === 'remove') Reflect.deleteProperty(at.holder, at.key);
    else if (how === 'add' && typeof at.holder[at.key] === 'object' && at.holder[at.key] !== null) {
      Object.assign(at.holder[at.key] as object, { unknown_field: odd });
    } else at.holder[at.key] = odd;
    return copy.whole;
  });

interface Place {
  holder: Record<string, unknown>;
  key: string;
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}
