import { BadAnswerError } from '../model-errors.ts';
import type { ModelToolCall } from '../llm-client.ts';
import { objectsOf, textOf } from './completion-chunk.ts';
import { ArgumentsText } from './arguments-text.ts';

/** Characters of the arguments of one call. */
const maxArguments = 1_000_000;
/** Calls of one answer that are read; the loop runs fewer. */
const maxCalls = 200;
/** A name is sent back to the provider; what is longer than this is no name. */
const maxName = 1000;

/**
 * Puts the fragments of an answer's calls together. Neither index nor id can be relied on (missing, blank, always the
 * same, repeated, late), so both are used where they help and the state of the call itself decides the rest. The work
 * is linear in what is streamed, in every one of these forms.
 *
 * Throws BadAnswerError where one call's arguments are larger than 1 MB.
 */
export class ToolCallAccumulator {
  readonly #slots: ToolCallSlot[] = [];
  readonly #byIndex = new Map<number, ToolCallSlot>();
  readonly #byId = new Map<string, ToolCallSlot[]>();
  readonly #isTool: (name: string) => boolean;
  #length = 0;
  #omitted = 0;

  constructor(isTool: (name: string) => boolean) {
    this.#isTool = isTool;
  }

  /** Takes a delta's `tool_calls`. */
  add(toolCalls: unknown): void {
    for (const item of objectsOf(toolCalls)) {
      const fragment = fragmentOf(item);
      this.#length += fragment.arguments.length + (fragment.name?.length ?? 0);
      const slot = this.#slotOf(fragment);
      if (slot === undefined || beginsAnotherCall(slot, fragment, this.#isTool)) this.#open(fragment);
      else this.#extend(slot, fragment);
    }
  }

  /** The calls in the order they began. `cut`: the answer ended without being finished. */
  finish(cut: boolean): ModelToolCall[] {
    return this.#slots.slice(0, maxCalls).map((slot) => {
      const truncated = cut && (slot.name === '' || !slot.arguments.isComplete);
      return {
        name: slot.name,
        arguments: slot.arguments.isBlank ? '{}' : slot.arguments.text,
        ...(slot.id === undefined ? {} : { providerId: slot.id }),
        ...(slot.extraContent === undefined ? {} : { extraContent: slot.extraContent }),
        ...(truncated ? { truncated } : {}),
      };
    });
  }

  /** How much has been streamed, for an estimate of its tokens. */
  get length(): number {
    return this.#length;
  }

  /** How many calls were not read since the answer had too many. */
  get omitted(): number {
    return this.#omitted + (this.#slots.length > maxCalls ? 1 : 0);
  }

  #open(fragment: CallFragment): void {
    const slot: ToolCallSlot = {
      id: undefined,
      index: undefined,
      name: '',
      arguments: new ArgumentsText(),
      extraContent: undefined,
    };
    if (this.#slots.length > maxCalls) {
      // Calls beyond the bound take turns in the last slot, which nobody reads.
      this.#omitted++;
      this.#slots[maxCalls] = slot;
    } else this.#slots.push(slot);
    this.#extend(slot, fragment);
  }

  #extend(slot: ToolCallSlot, fragment: CallFragment): void {
    const { id, index } = slot;
    extendCall(slot, fragment);
    if (slot.arguments.length > maxArguments) throw new BadAnswerError('a call with arguments of more than 1 MB');
    if (slot.index !== index && slot.index !== undefined) this.#byIndex.set(slot.index, slot);
    if (slot.id !== id && slot.id !== undefined) {
      // One id for many calls: the newest ones are those that a fragment may still belong to.
      this.#byId.set(slot.id, [...(this.#byId.get(slot.id) ?? []), slot].slice(-maxSharedId));
    }
  }

  /** The call that a fragment is addressed to, newest first; undefined where it begins a new one. */
  #slotOf(fragment: CallFragment): ToolCallSlot | undefined {
    const { id, index } = fragment;
    const last = this.#slots.at(-1);
    const agrees = (slot: ToolCallSlot) => index === undefined || slot.index === undefined || slot.index === index;
    if (id === undefined) {
      if (index === undefined) return last;
      const sameIndex = this.#byIndex.get(index);
      return sameIndex ?? (last !== undefined && last.index === undefined && !isNew(last, fragment) ? last : undefined);
    }
    const sameId = this.#byId.get(id)?.findLast(agrees);
    if (sameId !== undefined) return sameId;
    const addressed = index === undefined ? last : this.#byIndex.get(index);
    if (addressed === undefined || fragment.name !== undefined) return undefined;
    return addressed.id === undefined || (index !== undefined && !addressed.arguments.isComplete)
      ? addressed
      : undefined;
  }
}

const maxSharedId = 20;

/** A fragment with a name goes on with a call only while that call has no index and waits for its arguments. */
function isNew(slot: ToolCallSlot, fragment: CallFragment): boolean {
  return fragment.name !== undefined && (slot.name !== fragment.name || slot.arguments.isComplete);
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
interface ToolCallSlot {
  id: string | undefined;
  index: number | undefined;
  name: string;
  readonly arguments: ArgumentsText;
  extraContent: unknown;
}

/** What one delta says about a call, blanks taken for nothing. */
interface CallFragment {
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
function beginsAnotherCall(slot: ToolCallSlot, fragment: CallFragment, isTool: (name: string) => boolean): boolean {
  const { name } = fragment;
  if (name === undefined) return false;
  if (slot.arguments.isBlank) {
    return name !== slot.name && isTool(slot.name) && isTool(name) && !isTool(slot.name + name);
  }
  if (!slot.arguments.isComplete) return false;
  if (name !== slot.name) return true;
  return fragment.arguments.trim() !== '' && !slot.arguments.isSameText(fragment.arguments);
}

/** Adds what a fragment says to its call. */
function extendCall(slot: ToolCallSlot, fragment: CallFragment): void {
  slot.id ??= fragment.id;
  slot.index ??= fragment.index;
  if (fragment.name !== undefined) slot.name = joinedName(slot.name, fragment.name);
  if (fragment.extraContent !== undefined) slot.extraContent = fragment.extraContent;
  if (fragment.arguments === '' || slot.arguments.isSameText(fragment.arguments)) return;
  slot.arguments.append(fragment.arguments);
}

/** The full name in every chunk, a name that grows, or the pieces of a split one. */
function joinedName(name: string, fragment: string): string {
  if (fragment === name || name.length > maxName) return name;
  return fragment.startsWith(name) ? fragment : name + fragment;
}
