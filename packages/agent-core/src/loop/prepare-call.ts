import { lostDigits, parseExactJson, reasonNotStorable } from '@docwright/contract';
import { z } from 'zod';
import { repairedJson } from '../llm/repaired-json.ts';
import { unknownToolError } from '../turns/repeated-failures.ts';
import { restArgument } from '../tool/bounded-content.ts';
import type { Tool } from '../tool/tool.ts';
import type { Toolset } from '../tool/toolset.ts';

/** A call whose tool exists and whose arguments fit the tool's schema. */
export interface ValidCall<Services> {
  readonly tool: Tool<Services>;
  readonly args: Record<string, unknown>;
  /**
   * JSON of the arguments, completed by the tool. Serialized again after parsing, so that users see exactly what runs: of
   * a duplicate key only the last value counts.
   */
  readonly arguments: string;
  /** The model's JSON was not valid and has been repaired. */
  readonly repaired?: true;
  /** Where the result begins that the model gets: it continues one that was cut. */
  readonly restFrom?: number;
  readonly refusal?: undefined;
}

/** A valid call, or the reason why the call can never run, as an error text for the model; `shown` is a shorter one for people. */
export type PreparedCall<Services> =
  | ValidCall<Services>
  | { readonly tool?: undefined; readonly arguments: string; readonly refusal: string; readonly shown?: string };

/**
 * Finds the tool, parses the arguments and checks them. A refusal tells the model what to correct.
 *
 * @param text the arguments as the model wrote them
 *
 * @example
 * import { prepareCall, taskAgentTools } from '@docwright/agent-core';
 *
 * prepareCall(taskAgentTools, 'list_tasks', '{"limit":5}').refusal; // undefined
 * prepareCall(taskAgentTools, 'list_tasks', '{"max":5}').refusal; // 'The arguments do not fit list_tasks: …'
 */
export function prepareCall<Services>(toolset: Toolset<Services>, name: string, text: string): PreparedCall<Services> {
  const tool = toolset.get(name);
  if (tool === undefined) {
    const known = toolset.tools.map((each) => each.name).join(', ');
    return {
      arguments: objectOf(text) === undefined ? '{}' : text,
      refusal: `There is no tool called ${name}. There are: ${known}.`,
      shown: unknownToolError,
    };
  }
  const given = objectOf(text);
  const read = given ?? objectOf(repairedJson(text) ?? '');
  const args = read?.value;
  const repaired = given === undefined && { repaired: true as const };
  if (args === undefined) {
    const excerpt = text.length > 200 ? `${text.slice(0, 200)}…` : text;
    return { arguments: '{}', refusal: `The arguments are not one complete JSON object: ${excerpt}` };
  }
  const reason = read?.lostDigits ?? reasonNotStorable(args);
  if (reason !== undefined) return { arguments: '{}', refusal: `The arguments do not fit ${name}: ${reason}` };
  const { [restArgument]: rest, ...others } = args;
  const continues = tool.effect === 'read' && Number.isSafeInteger(rest) && Number(rest) >= 0;
  const parsed = tool.parameters.safeParse(continues ? others : args);
  if (!parsed.success) {
    return { arguments: JSON.stringify(args), refusal: describeInvalidArguments(name, tool.parameters, parsed.error) };
  }
  const marks = { ...repaired, ...(continues && { restFrom: Number(rest) }) };
  if (tool.complete === undefined) return { tool, args: parsed.data, arguments: JSON.stringify(args), ...marks };
  const completed = tool.complete(parsed.data);
  return { tool, args: tool.parameters.parse(completed), arguments: JSON.stringify(completed), ...marks };
}

/**
 * An error text for arguments that do not fit. For an unknown argument it suggests the most similar name.
 *
 * @example
 * import { z } from 'zod';
 * import { describeInvalidArguments } from '@docwright/agent-core';
 *
 * const parameters = z.strictObject({ limit: z.number() });
 * const { error } = parameters.safeParse({ limits: 5 });
 * if (error) describeInvalidArguments('list_tasks', parameters, error); // '… it has no argument "limits" (use limit); …'
 */
export function describeInvalidArguments(name: string, parameters: z.ZodObject, error: z.ZodError): string {
  const [unknown] = error.issues.filter((issue) => issue.code === 'unrecognized_keys');
  if (unknown === undefined) return `The arguments do not fit ${name}: ${z.prettifyError(error)}`;
  const known = keysAt(parameters, unknown.path);
  const meant = unknown.keys.map((key) => {
    const near = nearestName(key, known);
    return near === undefined ? `"${key}"` : `"${key}" (use ${near})`;
  });
  const place = unknown.path.length === 0 ? name : unknown.path.join('.');
  const takes = known.length === 0 ? `${place} takes none` : `${place} takes ${known.join(', ')}`;
  const it = unknown.path.length === 0 ? 'it' : place;
  return `The arguments do not fit ${name}: ${it} has no argument ${meant.join(', ')}; ${takes}. Nothing was done.`;
}

interface SchemaNode {
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
}

/** The property names of the object at a path of the arguments. */
function keysAt(parameters: z.ZodObject, path: readonly PropertyKey[]): string[] {
  let place: SchemaNode | undefined = z.toJSONSchema(parameters, { io: 'input' }) as SchemaNode;
  for (const step of path) place = typeof step === 'number' ? place?.items : place?.properties?.[String(step)];
  return Object.keys(place?.properties ?? {});
}

/**
 * The most similar of the names; undefined if none is similar.
 *
 * @example
 * import { nearestName } from '@docwright/agent-core';
 *
 * nearestName('prompt_id', ['prompt_revid', 'document_id']); // 'prompt_revid'
 */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const nearest = names.toSorted((one, other) => similarity(other, name) - similarity(one, name))[0];
  return nearest !== undefined && similarity(nearest, name) >= 0.5 ? nearest : undefined;
}

/** Similarity from 0 to 1: the share of common letter pairs (Dice coefficient); 1 if one name starts with the other. */
function similarity(one: string, other: string): number {
  const pairs = (text: string) =>
    Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2));
  if (one.startsWith(other) || other.startsWith(one)) return 1;
  const [first, second] = [pairs(one.toLowerCase()), new Set(pairs(other.toLowerCase()))];
  const common = first.filter((pair) => second.has(pair)).length;
  return (2 * common) / Math.max(1, first.length + second.size);
}

interface ParsedArguments {
  value: Record<string, unknown>;
  /** Names a number that would become another one. */
  lostDigits?: string;
}

function objectOf(text: string): ParsedArguments | undefined {
  try {
    const exact = parseExactJson(text);
    const { value } = exact;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    // A value that is nested too deeply to be serialized again counts as incomplete.
    if (!isObject || JSON.stringify(value) === '') return undefined;
    const lost = lostDigits(exact);
    return { value: value as Record<string, unknown>, ...(lost !== undefined && { lostDigits: lost }) };
  } catch {
    return undefined;
  }
}
