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

/** Says what answers here and what it can do; with the request it did not understand, says that too. */
export function introduceYourself(request: string): string {
  const isGreeting =
    /^\W*(?:hi|hello|hey|good (?:morning|day|evening)|hallo|guten (?:tag|morgen)|bonjour|help|hilfe|aide|who are you|what (?:can|are|do) you)\b/iu.test(
      request,
    );
  const opening = isGreeting || request.trim() === '' ? 'Hello.' : 'I did not understand that.';
  return `${opening} I am the built-in demo model: fixed rules, not a language model. I understand requests such as:\n${examples.map((example) => `- ${example}`).join('\n')}`;
}
