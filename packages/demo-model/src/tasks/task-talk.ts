const examples = [
  'add a task to check the March invoice by Friday',
  'add tasks: scan the receipts, call the bank tomorrow',
  'what is due this week?',
  'mark the invoice as done',
  'move the call to Monday',
  'rename “scan the receipts” to “scan all receipts”',
  'delete the call',
];

export function exampleList(): string {
  return examples.map((example) => `- ${example}`).join('\n');
}

const greeting =
  /^\W*(?:(?:hi|hello|hey|hallo|moin|bonjour|salut|hola|ciao)(?:\s+there)?|good (?:morning|day|evening)|help(?: me)?|who are you|what (?:can|are|do) you(?: do)?)\W*$/iu;
const thanks = /^\W*(?:thanks?|thank you|great|perfect|ok(?:ay)?|good|nice|well done)(?:\s+\p{L}+){0,3}\W*$/iu;
const refusal = /^\W*(?:never ?mind|forget it|no(?: thanks?)?|stop|nothing|leave it|none)(?:\s+\p{L}+){0,2}\W*$/iu;

/** Answers a greeting, thanks or a refusal; undefined for any other message. */
export function smallTalkIn(request: string): string | undefined {
  if (request.trim() === '' || greeting.test(request)) {
    return `Hello. I am the built-in demo model: fixed rules, not a language model. I keep your to-do list and understand requests such as:\n${exampleList()}`;
  }
  if (thanks.test(request)) return 'You are welcome.';
  return refusal.test(request) ? 'All right, I leave everything as it is.' : undefined;
}
