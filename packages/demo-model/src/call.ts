/** A tool call that the rules propose. */
export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

/** What the rules answer: text, calls, or both. */
export interface Answer {
  text: string;
  calls: Call[];
}
