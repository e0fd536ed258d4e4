const examples = [
  'I need to extract invoice data',
  'add customer number and delivery date',
  'rename Total to Amount due',
  'change the type of quantity to number',
  'allowed values of status: open, paid, late',
  'remove the IBAN',
  'turn on multi row mode',
  'analyze “march.pdf”',
];

const sentence = 'I am the built-in demo model: fixed rules, not a language model.';
const greeting =
  /^\W*(?:hi|hello|hey|hallo|bonjour|hola|ciao|good (?:morning|day|evening)|help|who are you|what (?:can|are|do) you)\b/iu;
const thanks = /^\W*(?:thanks?|thank you|great|perfect|ok(?:ay)?|good|nice)\b.{0,30}$/iu;
const refusal = /^\W*(?:never ?mind|forget it|no|stop|nothing|leave it)\b.{0,30}$/iu;

/** Answers a greeting, thanks or a refusal; undefined for any other message. */
export function smallTalkAboutColumns(request: string): string | undefined {
  if (request.trim() === '' || greeting.test(request)) {
    return `Hello. ${sentence} I design the columns of a schema with you and understand requests such as:\n${exampleList()}`;
  }
  if (thanks.test(request)) return 'You are welcome.';
  return refusal.test(request) ? 'All right, I leave everything as it is.' : undefined;
}

/** The answer to a request that no rule matches. */
export function columnTalk(): string {
  return `I did not understand that. ${sentence} I understand requests such as:\n${exampleList()}`;
}

function exampleList(): string {
  return examples.map((example) => `- ${example}`).join('\n');
}
