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

const greeting =
  /^\W*(?:(?:hi|hello|hey|hallo|moin|bonjour|salut|hola|ciao)\b|good (?:morning|day|evening)|guten (?:tag|morgen)|help\b|hilfe\b|aide\b|who are you|what (?:can|are|do) you|are you (?:a|an)\b)/iu;
const thanks = /^\W*(?:thanks?|thank you|great|perfect|ok(?:ay)?|good|danke|merci)\b.{0,30}$/iu;

const sentence = 'I am the built-in demo model: fixed rules, not a language model.';

/** Says what answers here and what it can do. */
export function introduceYourself(): string {
  return `Hello. ${sentence} I understand requests such as:\n${exampleList()}`;
}

export function isGreeting(request: string): boolean {
  return request.trim() === '' || greeting.test(request);
}

/** A short answer to thanks; undefined for anything else. */
export function answerThanks(request: string): string | undefined {
  return thanks.test(request) ? 'You are welcome.' : undefined;
}

/** For a request that no rule reads. */
export function admitNotUnderstood(): string {
  return `I did not understand that. ${sentence} I understand requests such as:\n${exampleList()}`;
}

function exampleList(): string {
  return examples.map((example) => `- ${example}`).join('\n');
}
