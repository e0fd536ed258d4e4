import { numberLists, type Level, type List, type Numbering } from '../list-numbers.ts';

/** The formats of numbers by the codes that RTF has for them. */
const formats =
  'decimal upperRoman lowerRoman upperLetter lowerLetter ordinal cardinalText ordinalText hex - ideographDigital japaneseCounting aiueo iroha decimalFullWidth - japaneseLegal japaneseDigitalTenThousand decimalEnclosedCircle decimalFullWidth2 aiueoFullWidth irohaFullWidth decimalZero bullet ganada chosung decimalEnclosedFullstop decimalEnclosedParen decimalEnclosedCircle - ideographTraditional ideographZodiac ideographZodiacTraditional taiwaneseCounting ideographLegalTraditional taiwaneseCountingThousand taiwaneseDigital chineseCounting chineseLegalSimplified chineseCountingThousand - koreanDigital koreanCounting - koreanDigital2 hebrew1 arabicAlpha hebrew2 arabicAbjad - - - - thaiLetters thaiNumbers - - numberInDash russianLower russianUpper'.split(
    ' ',
  );
const none = 255;

const maxLists = 5_000;
const maxLevels = 9;
const maxText = 100;
/** What follows a number, as Word counts it: a tab, a space, nothing. */
const nothing = 2;

interface Definition {
  levels: Map<number, Level>;
}

interface Override {
  listId: string;
  levels: Map<number, Level>;
  restarts: Map<number, number>;
}

/** The place of a paragraph in the lists of a document. */
export interface RtfListPlace {
  list: number;
  level: number;
}

/** The tables of lists at the start of a document, read word by word, and the numbers that they give to paragraphs. */
export class RtfLists {
  readonly #definitions = new Map<string, Definition>();
  readonly #lists = new Map<string, Override>();
  #levels: Level[] = [];
  #override: Override | undefined;
  #overridden = -1;
  #numbering: Numbering | undefined;

  /** Takes a control word of the tables. */
  word(name: string, value: number): void {
    const level = this.#levels.at(-1);
    if (name === 'list' || name === 'listoverride') {
      this.#levels = [];
      this.#override = { listId: '', levels: new Map(), restarts: new Map() };
      this.#overridden = -1;
    } else if (name === 'lfolevel') {
      this.#overridden += 1;
      this.#levels = [];
    } else if (name === 'listlevel') {
      const text = '';
      const added: Level = { start: 1, format: 'decimal', text, restartsAfter: undefined, isLegal: false };
      if (this.#levels.length < maxLevels) this.#levels.push(added);
      if (this.#overridden !== -1) this.#override?.levels.set(this.#overridden, added);
    } else if (name === 'levelstartat') {
      if (level) level.start = value;
      if (this.#overridden !== -1) this.#override?.restarts.set(this.#overridden, value);
    } else if (name === 'listid') {
      const id = String(value);
      if (this.#override) this.#override.listId = id;
      if (this.#overridden === -1 && this.#levels.length > 0 && this.#definitions.size < maxLists)
        this.#definitions.set(id, { levels: new Map(this.#levels.entries()) });
    } else if (name === 'ls' && this.#override) {
      if (this.#lists.size < maxLists) this.#lists.set(String(value), this.#override);
      this.#override = undefined;
    } else if (level === undefined) return;
    else if (/^levelnfcn?$/u.test(name)) level.format = value === none ? 'none' : (formats[value] ?? 'decimal');
    else if (name === 'levellegal') level.isLegal = value !== 0;
    else if (name === 'levelfollow') level.isJoined = value === nothing;
    else if (name === 'levelnorestart' && value !== 0) level.restartsAfter = 0;
  }

  /** Takes letters of the text of a level: its length, then signs, among them codes below 9 for the numbers of levels. */
  addText(more: string): void {
    const level = this.#levels.at(-1);
    if (level && level.text.length < maxText) level.text += more;
  }

  /** The number or bullet before a paragraph. Undefined if the tables have no such list. */
  next({ list, level }: RtfListPlace): string | undefined {
    this.#numbering ??= numberLists(this.#read());
    return this.#numbering.next({ listId: String(list), level })?.label;
  }

  #read(): Map<string, List> {
    return new Map(
      [...this.#lists].map(([number, { listId, levels, restarts }]) => {
        const all = new Map([...(this.#definitions.get(listId)?.levels ?? []), ...levels]);
        const shown = new Map([...all].map(([at, level]) => [at, { ...level, text: templateOf(level.text) }]));
        return [number, { abstractId: listId, levels: shown, restarts }];
      }),
    );
  }
}

/** The text of a level as `%1.%2`. */
function templateOf(stored: string): string {
  const length = stored.charCodeAt(0) || 0;
  return Array.from(stored.slice(1, 1 + length), (sign) =>
    sign.charCodeAt(0) < maxLevels ? `%${sign.charCodeAt(0) + 1}` : sign,
  ).join('');
}
