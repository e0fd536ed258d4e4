/** Longer instructions of a field are no text for people. */
const maxInstruction = 2_000;

/**
 * The text of a field that draws an equation (`EQ`), as which older programs store letters with their reading above them, and fractions.
 * Undefined for another field.
 */
export function equationField(instruction: string): string | undefined {
  const own = instruction.trim();
  if (!/^EQ\b/iu.test(own) || own.length > maxInstruction) return undefined;
  const reading = /\\o(?:\\a[cdlr])?\(\\s\\(?:up|do) ?\d+\([^()]*\)[,;]([^()]*)\)$/iu.exec(own);
  if (reading) return reading[1]!.trim();
  const fraction = /^EQ\s+\\f\(([^(),;]*)[,;]([^(),;]*)\)$/iu.exec(own);
  return fraction ? `${fraction[1]!.trim()}/${fraction[2]!.trim()}` : undefined;
}
