import { symbolText } from '../../flow/symbol-text.ts';
import { emptyBox, tickedBox } from '../../flow/tick-box.ts';
import { equationField } from '../equation-field.ts';

const tick = 1;
const list = 2;
/** The state that says that the usual one is meant. */
const usual = 25;

/** A field: its instruction, and what a form says of it. */
export class RtfField {
  instruction = '';
  readonly choices: string[] = [];
  #type = -1;
  #result = usual;
  #usual = 0;
  isWritten = false;

  set(name: string, value: number): void {
    if (name === 'fftype') this.#type = value;
    else if (name === 'ffres') this.#result = value;
    else if (name === 'ffdefres') this.#usual = value;
  }

  /** What the field shows instead of its stored result. Undefined: the result. */
  get value(): string | undefined {
    const chosen = this.#result === usual ? this.#usual : this.#result;
    if (this.#type === tick || /^\s*FORMCHECKBOX\b/i.test(this.instruction)) return chosen === 0 ? emptyBox : tickedBox;
    if (this.#type === list) return this.choices[chosen] ?? '';
    const equation = equationField(this.instruction);
    if (equation !== undefined) return equation;
    const [, code, options = ''] = /^\s*SYMBOL\s+(\d+|0x[\da-f]+)(.*)/is.exec(this.instruction) ?? [];
    if (code === undefined) return undefined;
    const font = /\\f\s*"([^"]*)"/i.exec(options)?.[1] ?? '';
    const isSymbol = /^(?:symbol|wingdings|webdings)/i.test(font);
    return isSymbol ? symbolText(font, Number(code)) : undefined;
  }
}
