/** A tool call that the rules propose. */
export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

/** A piece of an answer with the probability that it is right, above 0 and at most 1. */
export interface Token {
  text: string;
  probability: number;
}

/** The answer of the rules to a request: text, calls, or both. */
export interface Answer {
  text: string;
  calls: Call[];
  /** The text in pieces; undefined when nothing is uncertain. */
  tokens?: readonly Token[];
}
