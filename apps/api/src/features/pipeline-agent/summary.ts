const maxMessageCharacters = 400;
const maxSummaryCharacters = 4000;

/** Appends an exchange to a conversation's summary; drops the oldest lines if it grows too long. */
export function summaryWith(summary: string | null, question: string, answer: string): string {
  const exchange = `Person: ${shortened(question)}\nAgent: ${shortened(answer)}`;
  const lines = (summary === null ? exchange : `${summary}\n${exchange}`).split('\n');
  while (lines.length > 2 && lines.join('\n').length > maxSummaryCharacters) lines.shift();
  return lines.join('\n');
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length > maxMessageCharacters ? `${line.slice(0, maxMessageCharacters)}…` : line;
}
