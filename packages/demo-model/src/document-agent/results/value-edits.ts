import { bareName } from '../../conversation/names.ts';

/** One value for a field, both in the user's words. */
export interface ValueEdit {
  field: string;
  /** Null to empty the field. */
  value: string | null;
}

const setRequest =
  /\b(?:set|change|correct|update|make|fix|put|adjust|setze?|ändere|korrigiere|mets?|change[rz])\s+(?<rest>.+)$/iu;
const pairBreak =
  /\s*(?:,|;|\band\b|\bund\b|\bet\b)\s*(?=(?:the\s+)?[\p{L}_][\p{L}\d_. ]{1,40}?\s+(?:to|=|auf|à|is|should be)\s)/giu;
const assignment = /^(?<field>.+?)\s*(?:\bto\b|=|:|\bas\b|\bauf\b|\bzu\b|à)\s*(?<value>.+)$/iu;
const statement =
  /^(?:no,?\s+|actually,?\s+|wrong,?\s+)*(?:the\s+)?(?<field>[\p{L}_][\p{L}\d_. ]{1,50}?)\s+(?:is actually|is really|is|are|should be|must be|should read|ought to be|ist|est|=)\s+(?<value>.+)$/iu;
const clearRequest = /^(?:please\s+)?(?:clear|empty|blank|erase|unset|leere)\s+(?:the\s+)?(?<field>.+)$/iu;

const doubt =
  /^(?:i think |no,?\s+|but )*(?:the\s+)?(?<field>[\p{L}_][\p{L}\d_. ]{1,50}?)\s+(?:is|are|looks?|seems?)\s+(?:wrong|incorrect|not right|off|false|missing)(?:[,;:.]|\s+and|\s+-)*\s*(?:(?:it|they|that)\s+)?(?:(?:should|must)\s+(?:be|read)|is|to)?\s*(?<value>.*)$/iu;

/** The field that a message calls wrong without giving the right value. */
export function doubtedField(request: string): string | undefined {
  const groups = doubt.exec(request.trim())?.groups;
  return groups?.value === '' ? bareName(groups.field ?? '') : undefined;
}

/** The values that a message gives; empty when it gives none. The caller checks whether the fields exist. */
export function valueEditsIn(request: string): ValueEdit[] {
  const text = request.trim().replace(/[!]+$|(?<!\d)\.$/u, '');
  if (text.endsWith('?')) return [];
  const cleared = clearRequest.exec(text)?.groups?.field;
  if (cleared !== undefined) return [{ field: bareName(cleared), value: null }];
  const doubted = doubt.exec(text)?.groups;
  if (doubted?.field !== undefined && doubted.value) return [{ field: bareName(doubted.field), value: doubted.value }];
  const rest = setRequest.exec(text)?.groups?.rest;
  const parts = rest === undefined ? [text] : rest.split(pairBreak);
  return parts.flatMap((part) => {
    const groups = (rest === undefined ? statement.exec(part) : (assignment.exec(part) ?? statement.exec(part)))
      ?.groups;
    if (!groups) return [];
    const value = (groups.value ?? '').trim().replace(/^["“'„]+|["”']+$/gu, '');
    return [
      {
        field: bareName(groups.field ?? ''),
        value: /^(?:null|nothing|empty|none|blank|leer)$/iu.test(value) ? null : value,
      },
    ];
  });
}
