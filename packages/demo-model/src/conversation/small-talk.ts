export const introduction = 'I am the built-in demo model: fixed rules, not a language model.';

/** Small talk of one agent. The patterns differ, because each agent reads other short messages as requests. */
export interface SmallTalk {
  greeting: RegExp;
  thanks: RegExp;
  refusal: RegExp;
  /** The sentence that introduces the examples. */
  abilities: string;
  /** Requests that the agent understands. */
  examples: readonly string[];
}

/** Answers a greeting, thanks or a refusal; undefined for any other message. */
export function answerSmallTalk(request: string, talk: SmallTalk): string | undefined {
  if (request.trim() === '' || talk.greeting.test(request))
    return `Hello. ${introduction} ${talk.abilities}\n${exampleList(talk)}`;
  if (talk.thanks.test(request)) return 'You are welcome.';
  return talk.refusal.test(request) ? 'All right, I leave everything as it is.' : undefined;
}

/** The answer to a request that no rule matches. */
export function describeNotUnderstood(talk: Pick<SmallTalk, 'examples'>): string {
  return `I did not understand that. ${introduction} I understand requests such as:\n${exampleList(talk)}`;
}

function exampleList({ examples }: Pick<SmallTalk, 'examples'>): string {
  return examples.map((example) => `- ${example}`).join('\n');
}
