import { whyNotStored } from '@docwright/contract';
import { z } from 'zod';
import type { Tool } from '../tool/tool.ts';
import type { Toolset } from '../tool/toolset.ts';

/** A call whose tool and arguments are known to fit. */
export interface FitCall<Services> {
  readonly tool: Tool<Services>;
  readonly args: Record<string, unknown>;
  /**
   * The arguments as text, completed by the tool where it does so. Written anew from what was read, so that nobody is
   * shown other arguments than those that run: of a key that stands twice, only the last one counts.
   */
  readonly arguments: string;
  readonly refusal?: undefined;
}

/** A call that fits, or the reason why it can never run, in words for the model. */
export type PreparedCall<Services> =
  | FitCall<Services>
  | { readonly tool?: undefined; readonly arguments: string; readonly refusal: string };

/** Finds the tool, reads the arguments and checks them; the model can correct whatever is wrong with either. */
export function prepareCall<Services>(toolset: Toolset<Services>, name: string, text: string): PreparedCall<Services> {
  const tool = toolset.get(name);
  if (tool === undefined) {
    const known = toolset.tools.map((each) => each.name).join(', ');
    return {
      arguments: objectOf(text) === undefined ? '{}' : text,
      refusal: `There is no tool called ${name}. There are: ${known}.`,
    };
  }
  const args = objectOf(text);
  if (args === undefined) {
    const excerpt = text.length > 200 ? `${text.slice(0, 200)}…` : text;
    return { arguments: '{}', refusal: `The arguments are not one complete JSON object: ${excerpt}` };
  }
  const reason = whyNotStored(args);
  if (reason !== undefined) return { arguments: '{}', refusal: `The arguments do not fit ${name}: ${reason}` };
  const parsed = tool.parameters.safeParse(args);
  if (!parsed.success) {
    return { arguments: text, refusal: misfitOf(name, tool.parameters, parsed.error) };
  }
  if (tool.complete === undefined) return { tool, args: parsed.data, arguments: JSON.stringify(args) };
  const completed = tool.complete(parsed.data);
  return { tool, args: tool.parameters.parse(completed), arguments: JSON.stringify(completed) };
}

/** What does not fit, and what would: an argument that does not exist is told with the one that was probably meant. */
export function misfitOf(name: string, parameters: z.ZodObject, error: z.ZodError): string {
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

interface Described {
  properties?: Record<string, Described>;
  items?: Described;
}

/** What the object at this place of the arguments takes. */
function keysAt(parameters: z.ZodObject, path: readonly PropertyKey[]): string[] {
  let place: Described | undefined = z.toJSONSchema(parameters, { io: 'input' }) as Described;
  for (const step of path) place = typeof step === 'number' ? place?.items : place?.properties?.[String(step)];
  return Object.keys(place?.properties ?? {});
}

/** The name that was probably meant; undefined where none is like it. */
export function nearestName(wanted: string, names: readonly string[]): string | undefined {
  const near = names.toSorted((one, other) => likeness(other, wanted) - likeness(one, wanted))[0];
  return near !== undefined && likeness(near, wanted) >= 0.5 ? near : undefined;
}

/** From 0 to 1, how many pairs of neighbouring letters two names have in common. */
function likeness(one: string, other: string): number {
  const pairs = (text: string) =>
    Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2));
  if (one.startsWith(other) || other.startsWith(one)) return 1;
  const [first, second] = [pairs(one.toLowerCase()), new Set(pairs(other.toLowerCase()))];
  const common = first.filter((pair) => second.has(pair)).length;
  return (2 * common) / Math.max(1, first.length + second.size);
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    // What nests deeper than it could be written again counts as incomplete.
    return isObject && JSON.stringify(value) !== '' ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
