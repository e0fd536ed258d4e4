import type { ModelToolCall } from '../llm-client.ts';
import { objectsOf, textOf } from './completion-chunk.ts';

/**
 * Puts the fragments of an answer's calls together. Neither index nor id can be relied on (missing, blank, always the
 * same, repeated, late), so both are used where they help and the state of the call itself decides the rest.
 */
export class ToolCallAccumulator {
  readonly #slots: ToolCallSlot[] = [];
  readonly #isTool: (name: string) => boolean;

  constructor(isTool: (name: string) => boolean) {
    this.#isTool = isTool;
  }

  /** Takes a delta's `tool_calls`. */
  add(toolCalls: unknown): void {
    for (const item of objectsOf(toolCalls)) {
      const fragment = fragmentOf(item);
      const slot = this.#slotOf(fragment);
      if (slot === undefined || beginsAnotherCall(slot, fragment, this.#isTool)) this.#open(fragment);
      else extendCall(slot, fragment);
    }
  }

  /** The calls in the order they began. `cut`: the answer ended without being finished. */
  finish(cut: boolean): ModelToolCall[] {
    return this.#slots.map((slot) => {
      const blank = slot.arguments.trim() === '';
      const truncated = cut && (slot.name === '' || completeObject(slot.arguments) === undefined);
      return {
        name: slot.name,
        arguments: blank ? '{}' : slot.arguments,
        ...(slot.id === undefined ? {} : { providerId: slot.id }),
        ...(slot.extraContent === undefined ? {} : { extraContent: slot.extraContent }),
        ...(truncated ? { truncated } : {}),
      };
    });
  }

  /** How much has been written, for an estimate of its tokens. */
  get length(): number {
    return this.#slots.reduce((sum, slot) => sum + slot.name.length + slot.arguments.length, 0);
  }

  #open(fragment: CallFragment): void {
    const slot = { id: undefined, index: undefined, name: '', arguments: '', extraContent: undefined };
    extendCall(slot, fragment);
    this.#slots.push(slot);
  }

  /** The call that a fragment is addressed to, newest first; undefined where it begins a new one. */
  #slotOf(fragment: CallFragment): ToolCallSlot | undefined {
    const { id, index } = fragment;
    const last = this.#slots.at(-1);
    const agrees = (slot: ToolCallSlot) => index === undefined || slot.index === undefined || slot.index === index;
    if (id === undefined) {
      if (index === undefined) return last;
      const sameIndex = this.#slots.findLast((slot) => slot.index === index);
      return sameIndex ?? (last !== undefined && last.index === undefined && !isNew(last, fragment) ? last : undefined);
    }
    const sameId = this.#slots.findLast((slot) => slot.id === id && agrees(slot));
    if (sameId !== undefined) return sameId;
    const addressed = index === undefined ? last : this.#slots.findLast((slot) => slot.index === index);
    if (addressed === undefined || fragment.name !== undefined) return undefined;
    const unfinished = completeObject(addressed.arguments) === undefined;
    return addressed.id === undefined || (index !== undefined && unfinished) ? addressed : undefined;
  }
}

/** A fragment with a name goes on with a call only while that call has no index and waits for its arguments. */
function isNew(slot: ToolCallSlot, fragment: CallFragment): boolean {
  return fragment.name !== undefined && (slot.name !== fragment.name || completeObject(slot.arguments) !== undefined);
}

function fragmentOf(item: Record<string, unknown>): CallFragment {
  const called = (item['function'] ?? {}) as { name?: unknown; arguments?: unknown };
  const id = textOf(item['id']);
  return {
    id: id === undefined || id.trim() === '' ? undefined : id,
    index: typeof item['index'] === 'number' ? item['index'] : undefined,
    name: textOf(called.name),
    arguments: argumentsOf(called.arguments),
    extraContent: item['extra_content'] ?? undefined,
  };
}

/** Some servers send the arguments as an object instead of its text. */
function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
}

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

/** The object that a text is in full as JSON; undefined for anything cut, doubled or of another kind. */
export function completeObject(text: string): Record<string, unknown> | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined;
  try {
    const value: unknown = JSON.parse(trimmed);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether both texts are complete JSON objects that say the same. */
export function sayTheSame(one: string, other: string): boolean {
  const [first, second] = [completeObject(one), completeObject(other)];
  if (first === undefined || second === undefined) return false;
  return one === other || JSON.stringify(first) === JSON.stringify(second);
}
