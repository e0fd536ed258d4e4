/** Words that start a new task. */
const begins = String.raw`(?:(?:please|also|then|now|and)\s+)*(?:add|create|note|put|remind|list|show|what|which|when|complete|finish|mark|tick|check\s+off|cross\s+off|close|re-?open|delete|remove|drop|cancel|erase|take|rename|change|update|edit|move|postpone|reschedule|push|delay|set|i\s+(?:have|need|must|did|finished|completed))\b`;
/** That something has been done. One thing alone: two of them share their verb, and stay together. */
const isDone = String.raw`(?:the|my|that|this)\s+(?:(?!\s(?:and|or)\s)[^,;.!?\n])+?\s+is\s+(?:done|completed?|finished)\b`;
const boundary = new RegExp(
  String.raw`(?:\s*[;\n]+\s*|[.!?]\s+|\s*,?\s+(?:and|then)\s+|,\s*)(?=${begins}|${isDone})`,
  'iu',
);
const politeness =
  /^(?:(?:please|also|then|now|and|ok(?:ay)?|so|hey|hi|hello|can you|could you|would you|will you|i(?:['’]d| would) like (?:you )?to|let['’]s)[\s,]+)+/iu;
const quoted = /"[^"]*"|“[^”]*”|«[^»]*»/gu;

/** Splits a message into parts with one request each. Quoted text is not split. */
export function clausesOf(message: string): string[] {
  const quotes: string[] = [];
  const masked = message.replace(quoted, (quote) => `\u{e000}${quotes.push(quote) - 1}\u{e001}`);
  return masked
    .split(boundary)
    .map((part) =>
      part
        .trim()
        .replace(politeness, '')
        .replace(/[\s,.!?;]+(?:please|thanks|thank you)?[\s.!?]*$/iu, '')
        .replaceAll(/\u{e000}(\d+)\u{e001}/gu, (_, at: string) => quotes[Number(at)] ?? ''),
    )
    .filter((part) => part !== '');
}
