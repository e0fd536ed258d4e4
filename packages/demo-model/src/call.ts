/** A tool call that the rules propose. */
export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

/** An answer of the rules: text, calls, or both. */
export interface Answer {
  text: string;
  calls: Call[];
}
