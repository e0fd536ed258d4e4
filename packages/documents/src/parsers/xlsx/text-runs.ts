import { Parser } from 'htmlparser2';
import { withRaisedDigits, type RaisedPlace } from '../raised-digits.ts';

/** A part of a text, with the colour of its font as the file has it; without one if it has the font of its cell. */
export interface TextRun {
  text: string;
  color?: Readonly<Record<string, string>>;
}

/** A text that cells share; its parts if one has a font of its own. */
export interface SharedText {
  text: string;
  runs?: readonly TextRun[];
}

/** Begins a part of a text, or gives it the colour of its font. False for other elements. */
export function addsRun(runs: TextRun[], name: string, attribs: Readonly<Record<string, string>>): boolean {
  const run = runs.at(-1);
  if (name === 'r') runs.push({ text: '' });
  // A font without a colour has the usual one, and not that of the cell.
  else if (name === 'rPr' && run !== undefined) run.color ??= {};
  else if (name === 'color' && run !== undefined) run.color = attribs;
  else return false;
  return true;
}

/** Adds letters to the last part. */
export function addText(runs: TextRun[], text: string): void {
  const run = runs.at(-1);
  if (run === undefined) runs.push({ text });
  else run.text += text;
}

/** The parts of a text if one has a font of its own. */
export const coloredRuns = (runs: readonly TextRun[]): TextRun[] | undefined =>
  runs.some(({ color }) => color !== undefined)
    ? runs.map((run) => ({ ...run, text: unescapeText(run.text) }))
    : undefined;

const raisedPlaces: Readonly<Record<string, RaisedPlace>> = { superscript: 'super', subscript: 'sub' };

/** The texts that cells share, without the readings of Japanese words. */
export function readSharedTexts(xml: string): SharedText[] {
  const texts: SharedText[] = [];
  let current = '';
  let runs: TextRun[] = [];
  let phonetic = 0;
  let isText = false;
  let raised: RaisedPlace | undefined;
  const parser = new Parser(
    {
      onopentag(prefixed, attribs) {
        const name = localName(prefixed);
        if (name === 'si') [current, runs] = ['', []];
        addsRun(runs, name, attribs);
        if (name === 'r') raised = undefined;
        if (name === 'vertAlign') raised = raisedPlaces[attribs['val'] ?? ''];
        if (name === 'rPh') phonetic += 1;
        isText = name === 't' && phonetic === 0;
      },
      ontext(text) {
        if (!isText) return;
        const added = withRaisedDigits(current, text, raised);
        current += added;
        addText(runs, added);
      },
      onclosetag(prefixed) {
        const name = localName(prefixed);
        isText = false;
        if (name === 'rPh') phonetic -= 1;
        if (name === 'si') {
          const colored = coloredRuns(runs);
          texts.push({ text: unescapeText(current), ...(colored && { runs: colored }) });
        }
        if (name === 'r' || name === 'si') raised = undefined;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return texts;
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Office writes characters that XML does not allow as `_x000D_`. */
export function unescapeText(text: string): string {
  return text.replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
