import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseBoundedJson } from '../llm/json-bounds.ts';
import type { LlmMessage } from '../llm/llm-client.ts';
import type { Toolset } from '../tool/toolset.ts';
import type { DocumentPlace, KnownObject } from './known-object.ts';
import { productMessageStart, programIn, withoutProductLists } from './product-messages.ts';
import { canCarryOrder, carriersAmong, lookAlikes, type Carrier } from './carriers.ts';
import { documentNamedElsewhere, readResult, textsIn, type NamedDocument, type ReadContent } from './read-content.ts';
import { offersMore, WordsOfUser, type UserWords } from './user-words.ts';
import { TextIndex, wordsOf, type IndexedText, type TextMatch } from './text/text-index.ts';

/** The content of a profile's system prompt. */
export interface GivenContent {
  /** Objects that the user mentioned. */
  readonly mentioned: readonly KnownObject[];
  /** Objects that the prompt names. */
  readonly known: readonly KnownObject[];
  /** Ids of the objects that the conversation works on. */
  readonly workingIds: readonly string[];
  /** Pages of the document. The index is cached by the identity of the array. */
  readonly pages?: readonly { readonly page_num: number; readonly text: string }[];
  readonly documentTexts: readonly IndexedText<DocumentPlace>[];
  /** What the program that makes the call has read before: a program has no conversation that holds it. */
  readonly read?: readonly ReadContent[];
  /** The document that a program names for its call. A user opens a document, a program takes it from what it has read. */
  readonly namedDocument?: NamedDocument;
}

/** The content that a turn has seen, grouped by source. */
export interface SeenContent extends UserWords {
  /** Normalized names that the user mentioned. Each is said as a whole: a document can have dictated it. */
  readonly mentioned: ReadonlySet<string>;
  readonly document: TextIndex<DocumentPlace>;
  /** Ids and normalized names of the organization's objects. */
  readonly catalog: ReadonlySet<string>;
  /** Names of an object by each of its ids. */
  readonly namesOf: ReadonlyMap<string, readonly string[]>;
  /** Ids of objects whose names look like that of another one. */
  readonly lookAlikes: ReadonlySet<string>;
  /** All ids of the objects that the conversation works on or has created. */
  readonly working: ReadonlySet<string>;
  /** Ids of what the conversation works on, without what it has created. */
  readonly workedOn: ReadonlySet<string>;
  /** The model has seen a picture of a document, whose words no text holds. */
  readonly hasPicture: boolean;
  /** Names that can carry the words of a document. */
  readonly carriers: readonly Carrier[];
  /** The document that a program names, with the place where another document names it. */
  readonly namedDocument: { readonly id: string; readonly found: TextMatch<DocumentPlace> | undefined } | undefined;
}

/** The content of a prompt that holds nothing but the transcript. */
export const noGivenContent: GivenContent = { mentioned: [], known: [], workingIds: [], documentTexts: [] };

/**
 * Groups the content of a turn by source. Messages, answers and rejection reasons come from the user. Results of tools
 * hold ids and names of the organization and, under the keys that the tool declares, content of documents. Any other result,
 * for example in a history that a client sends, counts as content of documents. One pass, in steps between which other work can
 * run: a message can have 200,000 characters.
 */
export function* seenContentInSteps<Services>(
  transcript: readonly LlmMessage[],
  tools: Pick<Toolset<Services>, 'get'>,
  given: GivenContent = noGivenContent,
): Generator<void, SeenContent> {
  const user = new WordsOfUser();
  const document = new TextIndex<DocumentPlace>(given.pages && pageIndex(given.pages));
  const objects: KnownObject[] = [...given.known, ...given.mentioned];
  const created: KnownObject[] = [];
  const nameOfCall = new Map<string, string>();
  let hasPicture = false;
  let lastAnswer = '';
  for (const text of given.documentTexts) document.add(text);
  for (const read of given.read ?? []) {
    objects.push(...read.objects);
    for (const text of read.texts) document.add(text);
    if (read.hasPicture) hasPicture = true;
  }
  const mentioned = new Set<string>();
  for (const { ids, names } of given.mentioned) {
    for (const text of ids) user.id(text, 'mention');
    for (const name of names) mentioned.add(wordsOf(name).join(' '));
  }
  const lastOfUser = transcript.findLast(({ role }) => role === 'user');
  for (const message of transcript) {
    yield;
    if (message.role === 'user') {
      const program = programIn(message.content);
      if (program !== undefined) {
        document.add({ text: program, place: { found_in: 'tool_result' } });
        continue;
      }
      const { said, rows } = withoutProductLists(message.content);
      // An unattended run acts on the product's message. It orders nothing once a user goes on with the conversation.
      const isOver = message !== lastOfUser && message.content.startsWith(productMessageStart);
      if (!isOver) user.message(said, offersMore(lastAnswer));
      lastAnswer = '';
      // The product offers these objects: their ids are the user's choice, their names are not.
      const offer = (each: KnownObject) => {
        objects.push(each);
        if (!isOver) for (const id of each.ids) user.id(id, 'message');
      };
      readResult(rows, {}, { object: offer, text: (each) => document.add(each) });
    }
    if (message.role === 'assistant') {
      lastAnswer = message.content;
      for (const { id, name } of message.toolCalls ?? []) nameOfCall.set(id, name);
    }
    if (message.role !== 'tool') continue;
    const result = parseJson(message.content);
    const tool = tools.get(nameOfCall.get(message.callId) ?? '');
    // A file that a client's own tool read can begin like a rejection: only a call that the product asks about has one.
    const isAskedAbout = tool !== undefined && tool.effect !== 'read';
    if (result === undefined && isAskedAbout && message.content.startsWith(rejectionStart)) {
      user.answer(message.content.slice(rejectionStart.length));
      continue;
    }
    if (result === undefined || tool === undefined) {
      const texts = result === undefined ? [message.content] : textsIn(result).map(({ text }) => text);
      for (const said of texts) {
        const text = said.replace(listOfTools, (all, start: string, names: string) =>
          names.split(', ').every((name) => tools.get(name) !== undefined) ? start : all,
        );
        document.add({ text, place: { found_in: 'tool_result' } });
      }
      continue;
    }
    if (tool.effect === 'delete' && !hasError(result)) user.deleted();
    if (tool.needsSight === true && !hasError(result)) hasPicture = true;
    if (tool.awaitsAnswers === true) {
      for (const text of answersIn(result)) user.answer(text);
      continue;
    }
    // The result of a plan repeats the model's own text.
    if (tool.proposesPlan === true) continue;
    const found: KnownObject[] = [];
    readResult(result, tool, { object: (each) => void found.push(each), text: (each) => document.add(each) });
    objects.push(...found);
    if (tool.target === 'new') created.push(...found);
  }
  // The longest first: the rest of a mention whose beginning is the name of another object would count as the user's words.
  const names = [...new Set(objects.flatMap((each) => each.names).filter(canCarryOrder))].toSorted(
    (one, other) => other.length - one.length,
  );
  const withoutMentions = (message: string): string => {
    let said = message;
    // The field for messages writes a mention as “@” and the name.
    for (const name of names) {
      if (!said.includes(`@${name}`)) continue;
      said = said.replaceAll(`@${name}`, '@');
      mentioned.add(wordsOf(name).join(' '));
    }
    return said;
  };
  const words = yield* user.read(withoutMentions, (sentence) => isFound(document.find(sentence)));
  const catalog = new Set<string>();
  const namesOf = new Map<string, string[]>();
  const workedOn = new Set(given.workingIds);
  const working = new Set([...given.workingIds, ...created.flatMap(({ ids }) => ids)]);
  for (const { ids, names: own } of objects) {
    for (const id of ids) {
      catalog.add(id);
      const known = namesOf.get(id);
      if (known === undefined) namesOf.set(id, [...own]);
      else known.push(...own.filter((name) => !known.includes(name)));
    }
    for (const name of own) catalog.add(wordsOf(name).join(' '));
    if (ids.some((id) => workedOn.has(id))) for (const id of ids) workedOn.add(id);
    if (ids.some((id) => working.has(id))) for (const id of ids) working.add(id);
  }
  // What this conversation has created can only repeat what the conversation has read.
  const others = objects.filter((each) => !created.includes(each));
  const carriers = carriersAmong(others, (each) => isFound(words.person.find(each)));
  const named = given.namedDocument;
  const namedDocument = named && { id: named.id, found: documentNamedElsewhere(named, given.read ?? []) };
  const alike = lookAlikes(namesOf);
  return {
    ...words,
    mentioned,
    document,
    catalog,
    namesOf,
    lookAlikes: alike,
    working,
    workedOn,
    hasPicture,
    carriers,
    namedDocument,
  };
}

/** The start of the result of a rejected call; the user's reason follows. */
export const rejectionStart = 'User rejected this action.';

type Pages = NonNullable<GivenContent['pages']>;

const pageIndexes = new WeakMap<object, TextIndex<DocumentPlace>>();
/** After this time other work of the process gets its turn. */
const maxBlockMs = 10;

function pageIndex(pages: Pages): TextIndex<DocumentPlace> {
  const known = pageIndexes.get(pages);
  if (known !== undefined) return known;
  const index = new TextIndex<DocumentPlace>();
  for (const page of pages) index.add(textOfPage(page));
  pageIndexes.set(pages, index);
  return index;
}

/** Runs steps between which other work of the process continues. */
export async function inSteps<Answer>(steps: Iterator<void, Answer>): Promise<Answer> {
  let turnStarted = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - turnStarted < maxBlockMs) continue;
    await nextTurn();
    turnStarted = performance.now();
  }
}

/** Indexes pages for `seenContent` in steps: a long document takes half a second and more. */
export async function indexPages(pages: Pages): Promise<void> {
  if (pageIndexes.has(pages)) return;
  const index = new TextIndex<DocumentPlace>();
  await inSteps(addEach(pages, index));
  pageIndexes.set(pages, index);
}

function* addEach(pages: Pages, index: TextIndex<DocumentPlace>): Generator<void, void> {
  for (const page of pages) yield index.add(textOfPage(page));
}

const textOfPage = ({ text, page_num }: Pages[number]): IndexedText<DocumentPlace> => ({
  text,
  place: { found_in: 'page', page_num },
});

/** The options and texts of the user's answers. */
function answersIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    (key === 'label' || key === 'other') && typeof child === 'string' ? [child] : answersIn(child),
  );
}

/** Whether the user said these words, or mentioned an object of this name. Words of others that the user quotes name nothing. */
export const isSaidIn = (
  { person, ownWords, quotations, mentioned }: UserWords & Pick<SeenContent, 'mentioned'>,
  words: readonly string[],
  isContent = false,
): boolean =>
  isFound((isContent ? person : ownWords).find(words)) ||
  mentioned.has(words.join(' ')) ||
  quotations.has(words.join(' '));

const isFound = (found: unknown): boolean => found !== undefined && found !== 'exhausted';

/** The refusal of a call of a tool that does not exist. */
const listOfTools = /^(There is no tool called \S+\. There are: )([\w, -]+)\.$/u;

const hasError = (result: unknown): boolean => typeof result === 'object' && result !== null && 'error' in result;

function parseJson(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch {
    return undefined;
  }
}
