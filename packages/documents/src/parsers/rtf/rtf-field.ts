import { emptyBox, tickedBox } from '../../flow/tick-box.ts';
import { fieldText } from '../field-text.ts';

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
    return fieldText(this.instruction);
  }
}
