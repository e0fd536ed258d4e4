import { completeObject, sayTheSame } from './complete-json.ts';

/** A call while it streams in. */
export interface ToolCallSlot {
  id: string | undefined;
  index: number | undefined;
  name: string;
  arguments: string;
  extraContent: unknown;
}

/** What one delta says about a call, blanks taken for nothing. */
export interface CallFragment {
  id: string | undefined;
  index: number | undefined;
  name: string | undefined;
  arguments: string;
  extraContent: unknown;
}

/**
 * Whether a fragment that carries a name begins another call although it is addressed to this one: providers
 * that send index 0 for every call, or one id for two. A name alone may also be the same name said again, or
 * the next piece of a split one; `isTool` tells these apart.
 */
export function beginsAnotherCall(
  slot: ToolCallSlot,
  fragment: CallFragment,
  isTool: (name: string) => boolean,
): boolean {
  const { name } = fragment;
  if (name === undefined) return false;
  if (slot.arguments.trim() === '') {
    return name !== slot.name && isTool(slot.name) && isTool(name) && !isTool(slot.name + name);
  }
  if (completeObject(slot.arguments) === undefined) return false;
  if (name !== slot.name) return true;
  return fragment.arguments.trim() !== '' && !sayTheSame(slot.arguments, fragment.arguments);
}

/** Adds what a fragment says to its call. */
export function extendCall(slot: ToolCallSlot, fragment: CallFragment): void {
  slot.id ??= fragment.id;
  slot.index ??= fragment.index;
  if (fragment.name !== undefined) slot.name = joinedName(slot.name, fragment.name);
  if (fragment.extraContent !== undefined) slot.extraContent = fragment.extraContent;
  if (fragment.arguments === '') return;
  if (slot.arguments.endsWith('}') && sayTheSame(slot.arguments, fragment.arguments)) return;
  slot.arguments += fragment.arguments;
}

/** The full name in every chunk, a name that grows, or the pieces of a split one. */
function joinedName(name: string, fragment: string): string {
  if (fragment === name) return name;
  return fragment.startsWith(name) ? fragment : name + fragment;
}
