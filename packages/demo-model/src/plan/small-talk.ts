const examples = [
  'create a schema for this invoice and extract it',
  'add a field due date and drop the VAT id',
  'rename total to amount_due',
  'set the total to 12.50',
  'what is the total?',
  'show the text of page 2',
  'list my schemas',
  'tag this document with billing',
];

const sentence = 'I am the built-in demo model: fixed rules, not a language model.';

const readings: readonly [RegExp, string][] = [
  [
    /^\W*(?:(?:hi|hello|hey|hallo|moin|bonjour|salut|hola|ciao)\b|good (?:morning|day|evening)|guten (?:tag|morgen)|help\b|hilfe\b|aide\b|who are you|what (?:can|are|do) you|are you\b)/iu,
    `Hello. ${sentence} I understand requests such as:`,
  ],
  [/^\W*(?:thanks?|thank you|great|perfect|ok(?:ay)?|good|nice|danke|merci)\b.{0,30}$/iu, 'You are welcome.'],
  [
    /^\W*(?:never ?mind|forget it|no thanks?|cancel|stop|nothing|leave it|no)\b.{0,30}$/iu,
    'All right, I leave everything as it is.',
  ],
];

/** Answers a greeting, thanks or a refusal; undefined for any other message. */
export function answerSmallTalk(request: string): string | undefined {
  const answer = request.trim() === '' ? readings[0]?.[1] : readings.find(([words]) => words.test(request))?.[1];
  return answer?.endsWith(':') ? `${answer}\n${exampleList()}` : answer;
}

/** The answer to a request that no rule matches. */
export function admitNotUnderstood(): string {
  return `I did not understand that. ${sentence} I understand requests such as:\n${exampleList()}`;
}

function exampleList(): string {
  return examples.map((example) => `- ${example}`).join('\n');
}
