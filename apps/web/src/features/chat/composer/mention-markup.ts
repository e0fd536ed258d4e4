import type { Mention } from '@docwright/contract';

/**
 * In a draft, a mention is its name and id between private use characters, which no keyboard types. They are stripped
 * from all other text.
 */
const [open, between, close] = ['\uE000', '\uE001', '\uE002'];

/** The markup in the format of react-mentions, and the expression that finds it. */
export const mentionMarkup = `${open}__display__${between}__id__${close}`;
export const mentionPattern = /\uE000([^\uE000-\uE002]+)\uE001([^\uE000-\uE002]+)\uE002/;
const everyMention = new RegExp(mentionPattern, 'g');
const privateUse = /[\uE000-\uE002]/g;

export interface MentionChoice {
  /** `schema:<revision>`, `prompt:<revision>` or `tag:<id>`. */
  id: string;
  display: string;
}

export const withoutMarks = (text: string): string => text.replaceAll(privateUse, '');

export const markOf = ({ id, display }: MentionChoice): string => `${open}${display}${between}${id}${close}`;

/** The draft as plain text, each mention as `@name`. */
export const plainDraft = (draft: string): string =>
  withoutMarks(draft.replaceAll(everyMention, (_mark, display: string) => `@${display}`));

/** The mentions of a draft, without duplicates. */
export function mentionsIn(draft: string): Mention[] {
  const ids = new Set([...draft.matchAll(everyMention)].map((match) => match[2] ?? ''));
  return [...ids].flatMap((id) => {
    const [type, ...rest] = id.split(':');
    return type === 'schema' || type === 'prompt' || type === 'tag' ? [{ type, id: rest.join(':') }] : [];
  });
}

/** Turns mentions into text unless they were in the draft before or are among the choices. */
export function keepKnownMentions(draft: string, before: string, offered: readonly MentionChoice[]): string {
  const known = new Set([...(before.match(everyMention) ?? []), ...offered.map(markOf)]);
  let result = '';
  let end = 0;
  for (const match of draft.matchAll(everyMention)) {
    result += withoutMarks(draft.slice(end, match.index));
    result += known.has(match[0]) ? match[0] : (match[1] ?? '');
    end = match.index + match[0].length;
  }
  return result + withoutMarks(draft.slice(end));
}
