import { BadAnswerError } from '../model-errors.ts';
import type { ModelToolCall } from '../llm-client.ts';
import { objectsOf, textOf } from './completion-chunk.ts';
import { ArgumentsText } from './arguments-text.ts';

/** Maximum number of characters in the arguments of one call. */
const maxArgumentsLength = 1_000_000;
/** Maximum number of calls that are read of one answer; the loop runs fewer. */
const maxCalls = 200;
/** Maximum length of a tool name, which is sent back to the provider. */
const maxNameLength = 1000;

/**
 * Joins the fragments of an answer's calls. Index and id are unreliable (missing, blank, constant, repeated, late), so the
 * state of the call decides where they do not. The work is linear in the streamed text in all these forms.
 *
 * Throws BadAnswerError if the arguments of a call are larger than 1 MB, or beyond `jsonBounds`.
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

  /** Adds the `tool_calls` of a delta. */
  add(toolCalls: unknown): void {
    for (const item of objectsOf(toolCalls)) {
      const fragment = fragmentOf(item);
      this.#length += fragment.arguments.length + (fragment.name?.length ?? 0);
      const slot = this.#slotOf(fragment);
      if (slot === undefined || startsAnotherCall(slot, fragment, this.#isTool)) this.#open(fragment);
      else this.#extend(slot, fragment);
    }
  }

  /** The calls in the order of their first fragment. `cut`: the answer ended early. */
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

  /** Number of streamed characters, for an estimate of the tokens. */
  get length(): number {
    return this.#length;
  }

  /** Number of calls that were not read, because the answer had too many. */
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
      // Calls beyond the limit share the last slot, which is never read.
      this.#omitted++;
      this.#slots[maxCalls] = slot;
    } else this.#slots.push(slot);
    this.#extend(slot, fragment);
  }

  #extend(slot: ToolCallSlot, fragment: CallFragment): void {
    const { id, index } = slot;
    extendCall(slot, fragment);
    if (slot.arguments.length > maxArgumentsLength) throw new BadAnswerError('a call with arguments of more than 1 MB');
    if (slot.arguments.isBeyondBounds)
      throw new BadAnswerError('a call whose arguments have too many entries or levels');
    if (slot.index !== index && slot.index !== undefined) this.#byIndex.set(slot.index, slot);
    if (slot.id !== id && slot.id !== undefined) {
      // If many calls share an id, a fragment can belong only to the newest ones.
      this.#byId.set(slot.id, [...(this.#byId.get(slot.id) ?? []), slot].slice(-maxSharedId));
    }
  }

  /** The call that a fragment belongs to, newest first; undefined if it starts a new one. */
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

/** Whether a fragment with a name starts a new call: the current one has another name or complete arguments. */
function isNew(slot: ToolCallSlot, fragment: CallFragment): boolean {
  return fragment.name !== undefined && (slot.name !== fragment.name || slot.arguments.isComplete);
}

function fragmentOf(item: Record<string, unknown>): CallFragment {
  const fn = (item['function'] ?? {}) as { name?: unknown; arguments?: unknown };
  const id = textOf(item['id']);
  return {
    id: id === undefined || id.trim() === '' ? undefined : id,
    index: typeof item['index'] === 'number' ? item['index'] : undefined,
    name: textOf(fn.name),
    arguments: argumentsOf(fn.arguments),
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

/** The part of a call in one delta; blank values are undefined. */
interface CallFragment {
  id: string | undefined;
  index: number | undefined;
  name: string | undefined;
  arguments: string;
  extraContent: unknown;
}

/**
 * Whether a fragment with a name starts another call although its index or id belongs to this one: some providers send
 * index 0 for every call, or one id for two calls. A name can also be repeated, or be the next piece of a split name;
 * `isTool` distinguishes these cases.
 */
function startsAnotherCall(slot: ToolCallSlot, fragment: CallFragment, isTool: (name: string) => boolean): boolean {
  const { name } = fragment;
  if (name === undefined) return false;
  if (slot.arguments.isBlank) {
    return name !== slot.name && isTool(slot.name) && isTool(name) && !isTool(slot.name + name);
  }
  if (!slot.arguments.isComplete) return false;
  if (name !== slot.name) return true;
  return fragment.arguments.trim() !== '' && !slot.arguments.isSameText(fragment.arguments);
}

/** Adds a fragment to its call. */
function extendCall(slot: ToolCallSlot, fragment: CallFragment): void {
  slot.id ??= fragment.id;
  slot.index ??= fragment.index;
  if (fragment.name !== undefined) slot.name = joinName(slot.name, fragment.name);
  if (fragment.extraContent !== undefined) slot.extraContent = fragment.extraContent;
  if (fragment.arguments === '' || slot.arguments.isSameText(fragment.arguments)) return;
  slot.arguments.append(fragment.arguments);
}

/** Joins a name: chunks repeat the whole name, send a growing one, or the pieces of a split one. */
function joinName(name: string, fragment: string): string {
  if (fragment === name || name.length > maxNameLength) return name;
  return fragment.startsWith(name) ? fragment : name + fragment;
}
