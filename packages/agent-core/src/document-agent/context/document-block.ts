/** Page text as a service gives it. */
export interface PageText {
  page_num: number;
  text: string;
  /** `text`: the page's own; `ocr`: recognised from an image, with what that was sure of. */
  read_by?: 'text' | 'ocr' | undefined;
  /** 0 to 1, the mean over the page's words. */
  confidence?: number | undefined;
  why_empty?: string | undefined;
}

/** What opens or closes a fence; spaces and letter case make no difference to a model, so they make none here. */
const fenceMarker = /<(?=\s*\/?\s*(?:document|page|mention|examples?|table_header)\b)/giu;

/** Text from outside, made unable to open or close one of the fences it is put between. */
export function defuseFences(text: string): string {
  return text.replace(fenceMarker, '‹');
}

/** A name from outside as it may stand in one line and between quotes. */
export function defuseName(name: string): string {
  return defuseFences(name)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll('"', "'");
}

/**
 * Page text fenced as data, for a system prompt or an extraction request. With `limit`, at most that many characters of
 * text are taken, from the first page on, and the last line of the excerpt says how many are missing. `headers` are lines
 * of earlier pages that name the columns of a table.
 */
export function documentBlock(
  name: string,
  pages: readonly PageText[],
  limit = Infinity,
  headers: readonly { page_num: number; text: string }[] = [],
): string {
  const parts = [
    `<document name="${defuseName(name)}" pages="${pages.length}">`,
    ...headers.map(({ page_num, text }) => `<table_header page="${page_num}">\n${defuseFences(text)}\n</table_header>`),
  ];
  const total = pages.reduce((sum, page) => sum + page.text.length, 0);
  let room = limit;
  for (const page of pages) {
    if (room <= 0) break;
    const text = cutAtCharacter(page.text, room);
    room -= page.text.length;
    const cut = room < 0 || (room === 0 && total > limit) ? `\n[cut: ${total - limit} more characters]` : '';
    parts.push(`<page number="${page.page_num}">\n${defuseFences(text)}${cut}\n</page>`);
  }
  parts.push('</document>');
  return parts.join('\n');
}

/** The first `length` UTF-16 units of a text, one less where that would part a pair. */
export function cutAtCharacter(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? length - 1 : length);
}
