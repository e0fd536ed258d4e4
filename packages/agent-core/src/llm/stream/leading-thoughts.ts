/** The marks with which models enclose their reasoning in the content, when their server does not take it out. */
const marks: readonly (readonly [opening: string, closing: string])[] = [
  ...['think', 'thinking', 'thought', 'reasoning', 'seed:think'].map((name) => [`<${name}>`, `</${name}>`] as const),
  ['[think]', '[/think]'],
  ['◁think▷', '◁/think▷'],
];

/** Blank characters at the beginning that are held back; each piece reads them again. */
const maxBlank = 1000;

interface Piece {
  isThought: boolean;
  text: string;
}

/**
 * Separates reasoning at the beginning of a streamed content from the answer behind it. Marks anywhere else are text: a
 * document or an answer can speak of them.
 */
export class LeadingThoughts {
  #state: 'beginning' | 'thinking' | 'behind' | 'answer' = 'beginning';
  #closing = '';
  /** Text that can be the beginning of a mark. */
  #held = '';

  /** The parts of the new text that are certain. */
  add(text: string): Piece[] {
    if (this.#state === 'answer' && this.#held === '') return piece(false, text);
    const pieces: Piece[] = [];
    this.#held += text;
    while (this.#held !== '' && this.#step(pieces));
    return pieces;
  }

  /** The text that was held back: the stream has ended, or a call begins. */
  flush(): Piece[] {
    const text = this.#held;
    this.#held = '';
    const isThought = this.#state === 'thinking';
    return text.trim() === '' && this.#state === 'behind' ? [] : piece(isThought, text);
  }

  /** Takes as much as it can; false if it has to wait for more text. */
  #step(pieces: Piece[]): boolean {
    if (this.#state === 'answer') {
      pieces.push(...piece(false, this.#held));
      this.#held = '';
      return false;
    }
    return this.#state === 'thinking' ? this.#think(pieces) : this.#open();
  }

  #open(): boolean {
    const start = this.#held.trimStart();
    const lower = start.toLowerCase();
    if (this.#state === 'behind') this.#held = start;
    if (this.#held.length > maxBlank && this.#state === 'beginning') this.#state = 'answer';
    if (start === '' || this.#state === 'answer') return this.#state === 'answer';
    const opened = marks.find(([opening]) => lower.startsWith(opening));
    if (opened !== undefined) {
      this.#held = start.slice(opened[0].length);
      this.#closing = opened[1];
      this.#state = 'thinking';
      return true;
    }
    if (marks.some(([opening]) => opening.startsWith(lower))) return false;
    this.#state = 'answer';
    return true;
  }

  #think(pieces: Piece[]): boolean {
    const lower = this.#held.toLowerCase();
    const end = lower.indexOf(this.#closing);
    if (end >= 0) {
      pieces.push(...piece(true, this.#held.slice(0, end)));
      this.#held = this.#held.slice(end + this.#closing.length);
      this.#state = 'behind';
      return true;
    }
    let kept = Math.min(lower.length, this.#closing.length - 1);
    while (!this.#closing.startsWith(lower.slice(lower.length - kept))) kept -= 1;
    pieces.push(...piece(true, this.#held.slice(0, this.#held.length - kept)));
    this.#held = this.#held.slice(this.#held.length - kept);
    return false;
  }
}

function piece(isThought: boolean, text: string): Piece[] {
  return text === '' ? [] : [{ isThought, text }];
}
