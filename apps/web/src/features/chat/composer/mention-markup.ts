import type { Mention } from '@docwright/contract';

/**
 * In a draft a mention is its name and id between characters of the private use area, which no keyboard types; whatever
 * else brings such characters loses them.
 */
const [open, between, close] = ['\uE000', '\uE001', '\uE002'];

/** As react-mentions wants it: its placeholders, and the expression that finds them. */
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

/** What a draft says to a reader: each mention as `@name`. */
export const plainDraft = (draft: string): string =>
  withoutMarks(draft.replaceAll(everyMention, (_mark, display: string) => `@${display}`));

/** What a draft mentions, each once. */
export function mentionsIn(draft: string): Mention[] {
  const ids = new Set([...draft.matchAll(everyMention)].map((match) => match[2] ?? ''));
  return [...ids].flatMap((id) => {
    const [type, ...rest] = id.split(':');
    return type === 'schema' || type === 'prompt' || type === 'tag' ? [{ type, id: rest.join(':') }] : [];
  });
}

/** A changed draft in which only those mentions stand that stood there before or are offered; all others become text. */
export function keepKnownMentions(draft: string, before: string, offered: readonly MentionChoice[]): string {
  const known = new Set([...(before.match(everyMention) ?? []), ...offered.map(markOf)]);
  let kept = '';
  let end = 0;
  for (const match of draft.matchAll(everyMention)) {
    kept += withoutMarks(draft.slice(end, match.index));
    kept += known.has(match[0]) ? match[0] : (match[1] ?? '');
    end = match.index + match[0].length;
  }
  return kept + withoutMarks(draft.slice(end));
}
