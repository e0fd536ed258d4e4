const maxMessageCharacters = 400;
const maxSummaryCharacters = 4000;

/** What a conversation was about, carried on message by message; the latest stays where it grows too long. */
export function summaryWith(summary: string | null, asked: string, answered: string): string {
  const exchange = `Person: ${shortened(asked)}\nAgent: ${shortened(answered)}`;
  const lines = (summary === null ? exchange : `${summary}\n${exchange}`).split('\n');
  while (lines.length > 2 && lines.join('\n').length > maxSummaryCharacters) lines.shift();
  return lines.join('\n');
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length > maxMessageCharacters ? `${line.slice(0, maxMessageCharacters)}…` : line;
}
