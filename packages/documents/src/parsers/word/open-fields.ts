import { fieldText } from '../field-text.ts';
import { firstChild, type XmlElement } from '../office-archive.ts';
import { legacyFieldValue } from './form-values.ts';

/** A field of which the code, or the result, is being read. */
interface OpenField {
  showsContent: boolean;
  /** What the field shows instead of its result. */
  value: string | undefined;
  instruction: string;
}

/** The fields around the place in a Word file that is being read, each within the one before. */
export class OpenFields {
  readonly #fields: OpenField[] = [];
  /** What is being read is hidden, also where an instruction would draw it. */
  isHidden = false;

  /** Whether a person sees what stands here. */
  get areShown(): boolean {
    return this.#fields.every(({ showsContent }) => showsContent);
  }

  /** Takes the text of an instruction. */
  addInstruction(text: string): void {
    const field = this.#fields.at(-1);
    if (field && !field.showsContent && !this.isHidden) field.instruction += text;
  }

  /** Takes a text within an instruction, which a button shows: a sign, or the result of another field. */
  addShown(text: string): void {
    const field = this.#fields.findLast(({ showsContent }) => !showsContent);
    if (field && !this.isHidden) field.instruction += text;
  }

  /** Begins, divides or ends a field, and returns what it shows instead of a result. */
  mark(mark: XmlElement): string {
    const kind = mark.attribs['w:fldCharType'];
    if (kind === 'begin') {
      const value = legacyFieldValue(firstChild(mark, 'w:ffData'));
      this.#fields.push({ showsContent: false, value, instruction: '' });
    } else if (kind === 'separate') {
      const field = this.#fields.at(-1);
      if (field) field.showsContent = field.value === undefined;
    } else {
      const ended = this.#fields.pop();
      // A field without a result is drawn by its instruction.
      if (ended && !ended.showsContent) return ended.value ?? fieldText(ended.instruction) ?? '';
    }
    return '';
  }
}
