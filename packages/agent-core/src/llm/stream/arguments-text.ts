import { jsonBounds } from '../json-bounds.ts';

/** Parses a text that is exactly one JSON object; undefined for any other text. */
function completeObject(text: string): Record<string, unknown> | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined;
  try {
    const value: unknown = JSON.parse(trimmed);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const quote = 0x22;
const backslash = 0x5c;
const openings = new Set([0x7b, 0x5b]);
const comma = 0x2c;
const closings = new Set([0x7d, 0x5d]);

/**
 * The arguments of a call while they stream in. Each piece is scanned once for balanced brackets and quotes, and the text
 * is parsed only when they are balanced, so that many small pieces cost no more than one large one.
 */
export class ArgumentsText {
  readonly #pieces: string[] = [];
  #length = 0;
  #depth = 0;
  #deepest = 0;
  #entries = 0;
  #inString = false;
  #escaped = false;
  /** More text came after the outermost closing bracket. */
  #overrun = false;
  #isBlank = true;
  /** Canonical JSON of the balanced text; null if it is not an object. */
  #parsed: string | null | undefined;

  get length(): number {
    return this.#length;
  }

  get isBlank(): boolean {
    return this.#isBlank;
  }

  get text(): string {
    return this.#pieces.join('');
  }

  /** Whether parsing it would hold up the process. */
  get isBeyondBounds(): boolean {
    return this.#entries > jsonBounds.entries || this.#deepest > jsonBounds.depth;
  }

  /** Whether the text is one complete JSON object. */
  get isComplete(): boolean {
    return this.#canonical() !== null;
  }

  append(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    for (let at = 0; at < piece.length; at++) this.#scan(piece.charCodeAt(at));
  }

  /** Whether both texts are complete and equal JSON objects. */
  isSameText(piece: string): boolean {
    const own = this.#canonical();
    if (own === null) return false;
    const other = completeObject(piece);
    return other !== undefined && JSON.stringify(other) === own;
  }

  #scan(code: number): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (code === backslash) this.#escaped = true;
      else if (code === quote) this.#inString = false;
      return;
    }
    if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) return;
    if (this.#depth === 0 && !this.#isBlank) {
      this.#overrun = true;
      this.#parsed = undefined;
    }
    this.#isBlank = false;
    if (code === quote) this.#inString = true;
    else if (code === comma) this.#entries++;
    else if (openings.has(code)) {
      this.#entries++;
      this.#depth++;
      this.#deepest = Math.max(this.#deepest, this.#depth);
    } else if (closings.has(code)) this.#depth--;
  }

  #canonical(): string | null {
    if (this.#isBlank || this.#overrun || this.#depth !== 0 || this.#inString) return null;
    if (this.#parsed === undefined) {
      const value = completeObject(this.text);
      this.#parsed = value === undefined ? null : JSON.stringify(value);
    }
    return this.#parsed;
  }
}
