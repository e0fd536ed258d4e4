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
    return { arguments: text, refusal: `The arguments do not fit ${name}: ${z.prettifyError(parsed.error)}` };
  }
  if (tool.complete === undefined) return { tool, args: parsed.data, arguments: JSON.stringify(args) };
  const completed = tool.complete(parsed.data);
  return { tool, args: tool.parameters.parse(completed), arguments: JSON.stringify(completed) };
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
