import { fold } from '../page/fold.ts';
import { type JsonSchema, typesOf } from './json-schema.ts';
import type { Reading } from './read-value.ts';

/** The value in a form that the schema accepts; undefined when it accepts none. */
export function fitValue(reading: Reading, schema: JsonSchema): unknown {
  const types = typesOf(schema);
  const { value, written } = reading;
  if (schema.enum)
    return schema.enum.find((option) => typeof option === 'string' && fold(option) === fold(String(value)));
  if (types.includes('boolean')) return yesOrNo(String(value));
  if (typeof value === 'number') {
    if (types.includes('number')) return value;
    if (types.includes('integer')) return Number.isInteger(value) ? value : undefined;
    return types.includes('string') ? fitText(written, schema) : undefined;
  }
  return types.includes('string') ? fitText(value, schema) : undefined;
}

/** Of two boxes with a word each the word of the one that is ticked: `☐ Yes ☒ No` is No. */
function tickedWord(folded: string): string | undefined {
  const boxes = [...folded.matchAll(/(?<box>[☐☒☑✓✔✗]|\[ ?x? ?\]|\( ?x? ?\))\s*(?<word>\p{L}+)/gu)];
  const ticked = boxes.filter(({ groups }) => /[☒☑✓✔✗x]/u.test(groups?.box ?? ''));
  return boxes.length > 1 && ticked.length === 1 ? ticked[0]!.groups?.word : undefined;
}

/** `yes`, `[x]` and a ticked box are true, `no` and an empty box false. */
function yesOrNo(text: string): boolean | undefined {
  const folded = fold(text).trim();
  const chosen = tickedWord(folded);
  if (chosen !== undefined) return yesOrNo(chosen);
  if (/^(?:yes|true|ja|oui|si|checked|x\b|\[ ?x ?\]|\(x\)|☒|☑|✓|✔|✗)/u.test(folded)) return true;
  return /^(?:no|false|nein|non|nee|unchecked|\[ *\]|\( *\)|☐)/u.test(folded) ? false : undefined;
}

function fitText(text: string, schema: JsonSchema): string | undefined {
  if (schema.pattern === undefined) return text;
  try {
    const pattern = new RegExp(schema.pattern, 'u');
    return [text, text.replaceAll(/\s/gu, '')].find((form) => pattern.test(form));
  } catch {
    // An invalid pattern is an error of the schema, which is reported when the schema is checked.
    return text;
  }
}
