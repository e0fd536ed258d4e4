import { symbolText } from '../flow/symbol-text.ts';

/** Longer instructions of a field are no text for people. */
const maxInstruction = 2_000;

/**
 * The text of a field that is shown by its instruction and has no result: the prompt of a button (`MACROBUTTON`, `GOTOBUTTON`), the sign of a
 * symbol font (`SYMBOL`), or an equation (`EQ`), as which older programs store letters with their reading above them, and fractions.
 * Undefined for another field.
 */
export function fieldText(instruction: string): string | undefined {
  const own = instruction.trim();
  if (own.length > maxInstruction) return undefined;
  return buttonText(own) ?? signOf(own) ?? equationOf(own);
}

/** What a button shows follows the name of its macro or place, as it is. */
function buttonText(instruction: string): string | undefined {
  const own = instruction.replace(/\s*\\\* *MERGEFORMAT$/iu, '');
  const text = /^(?:MACRO|GOTO)BUTTON\b(?:\s+(?:"[^"]*"|\S+)(?:\s+(.*))?)?$/isu.exec(own);
  return text ? (text[1] ?? '') : undefined;
}

function signOf(instruction: string): string | undefined {
  const [, code, options = ''] = /^SYMBOL\s+(\d+|0x[\da-f]+)(.*)/isu.exec(instruction) ?? [];
  if (code === undefined) return undefined;
  const font = /\\f\s*"?([^"\\]*)"?/iu.exec(options)?.[1] ?? '';
  return /^(?:symbol|wingdings|webdings)/iu.test(font) ? symbolText(font.trim(), Number(code)) : undefined;
}

function equationOf(instruction: string): string | undefined {
  if (!/^EQ\b/iu.test(instruction)) return undefined;
  const reading = /\\o(?:\\a[cdlr])?\(\\s\\(?:up|do) ?\d+\([^()]*\)[,;]([^()]*)\)$/iu.exec(instruction);
  if (reading) return reading[1]!.trim();
  const fraction = /^EQ\s+\\f\(([^(),;]*)[,;]([^(),;]*)\)$/iu.exec(instruction);
  return fraction ? `${fraction[1]!.trim()}/${fraction[2]!.trim()}` : undefined;
}
