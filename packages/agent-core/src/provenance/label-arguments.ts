import type { Passage, Provenance, ProvenanceSource } from '@docwright/contract';
import type { ArgumentRole } from '../tool/argument-role.ts';
import type { Effect } from '../tool/tool.ts';
import { isUnaskedDeletion, isUnaskedObject, isUnaskedSetting, kindOf, ordersBy, speaksOfKind } from './asked-for.ts';
import { findIdInCarriers, findInCarriers } from './carriers.ts';
import { forbiddenArguments, isFilledByOthers } from './filling.ts';
import type { DocumentPlace } from './known-object.ts';
import { choosesByName } from './named-objects.ts';
import { leavesOf } from './read-content.ts';
import { isSaidIn, type SeenContent } from './seen-content.ts';
import { wordsOf, type TextMatch } from './text/text-index.ts';

/** The provenance of a call's arguments. Plain JSON. */
export interface CallProvenance {
  readonly provenance: Provenance;
  /** Paths of choosing arguments that came from a document: only a user's approval covers them. */
  readonly chosenByDocument: readonly string[];
  readonly passages: readonly Passage[];
}

/** The properties of a tool that labelling uses. */
export interface LabelledTool {
  readonly name: string;
  readonly effect: Effect;
  readonly target?: string;
  readonly argumentRoles?: Readonly<Record<string, ArgumentRole>>;
}

/**
 * Labels each argument of a write with the sources of its content. A list or an object has the labels of all its values,
 * and each value has its own labels, by dotted path.
 *
 * A choosing argument counts as chosen by a document if its content is in a document and not in the user's messages. For a
 * target the same holds for its name, unless the conversation works on that object. If a document orders the call, by the
 * tool's name or in words (“delete the tag”), and the user did not, then the document chose all choosing arguments,
 * including implied ones. A deletion or an object that nobody spoke of counts as chosen by a document if one was read.
 *
 * @param args the arguments that will run
 * @param implied the values of omitted arguments
 */
export function labelArguments(
  tool: LabelledTool,
  args: Readonly<Record<string, unknown>>,
  implied: Readonly<Record<string, unknown>>,
  seen: SeenContent,
): CallProvenance {
  const provenance: Provenance = {};
  const passages: Passage[] = [];
  const chosen = new Set(forbiddenArguments(tool, args, seen));
  const isByOthers = isFilledByOthers(tool, args, seen);
  const order = findOrder(tool, seen);
  const isUnasked = isUnaskedDeletion(tool.effect, tool.name, seen, args['document_id'] ?? implied['document_id']);
  const { namedDocument } = seen;
  const named = namedDocument && { document_id: namedDocument.id };
  for (const [name, value] of Object.entries({ ...implied, ...named, ...args })) {
    // An undeclared argument counts as choosing: a forgotten declaration must not weaken the check.
    const role = tool.argumentRoles?.[name] ?? 'reference';
    const isImplied = !Object.hasOwn(args, name);
    const all = new Set<ProvenanceSource>();
    const leaves = leavesOf(value, name);
    for (const [path, leaf] of leaves) {
      const { sources, found, isUnsaid } = !isImplied
        ? sourcesOf(leaf, path, role, tool, seen, isByOthers)
        : namedDocument && name === 'document_id'
          ? fromProgram(namedDocument.found)
          : fromConversation;
      const labels = new Set(sources);
      const ordering = role === 'content' ? undefined : order;
      if (ordering !== undefined) labels.add('document');
      const isOfOthers = isByOthers && role === 'field';
      if (role !== 'content' && (isUnasked || ordering !== undefined || isUnsaid || isOfOthers))
        chosen.add(path).add(name);
      for (const label of labels) all.add(label);
      if (leaves.length <= maxLabelledItems) provenance[path] = sortSources(labels);
      const passageAt = found ?? ordering;
      // Names of schema fields appear on every page as captions: their passages are not worth showing.
      const isFieldName = role === 'content' && path !== name && typeof leaf === 'string' && /^[a-z_]+$/.test(leaf);
      if (passageAt !== undefined && !isFieldName && passages.length < maxPassages)
        passages.push(passageOf(path, passageAt));
    }
    provenance[name] = sortSources(all.size === 0 ? new Set(['model']) : all);
  }
  return { provenance, chosenByDocument: [...chosen], passages };
}

const maxLabelledItems = 50;
const maxPassages = 20;
const maxQuoteLength = 200;
const sourceOrder: readonly ProvenanceSource[] = ['person', 'catalog', 'document', 'model'];

/** An omitted argument refers to the object that the user opened. */
const fromConversation: LeafSources = { sources: ['person'], found: undefined, isUnsaid: false };

/** A document that a program names: no user has opened it. */
const fromProgram = (found: DocumentMatch | undefined): LeafSources =>
  found === undefined ? fromModel : { sources: ['document'], found, isUnsaid: true };

function sortSources(labels: ReadonlySet<ProvenanceSource>): ProvenanceSource[] {
  return sourceOrder.filter((label) => labels.has(label));
}

type DocumentMatch = TextMatch<DocumentPlace>;

interface LeafSources {
  readonly sources: readonly ProvenanceSource[];
  /** The match in a document. */
  readonly found: DocumentMatch | undefined;
  /** The value is in a document and not in the user's messages. */
  readonly isUnsaid: boolean;
}

const fromModel: LeafSources = { sources: ['model'], found: undefined, isUnsaid: false };

function sourcesOf(
  leaf: unknown,
  path: string,
  role: ArgumentRole,
  tool: LabelledTool,
  seen: SeenContent,
  isByOthers: boolean,
): LeafSources {
  // Booleans and null cannot be looked up.
  if (typeof leaf !== 'string' && typeof leaf !== 'number')
    return { ...fromModel, isUnsaid: leaf === true && isUnaskedSetting(path, seen) };
  const [text, words] = [String(leaf), wordsOf(String(leaf))];
  if (words.length === 0) return fromModel;
  const isId = /^[0-9a-f]{24}$/i.test(text);
  const names = isId ? (seen.namesOf.get(text.toLowerCase()) ?? []) : [];
  const isSaid = isSaidIn(seen, words, !isByOthers && (role === 'content' || role === 'field'));
  const ofOthers = isByOthers && !isSaid && isSaidIn(seen, words, true) ? unknownPlace : undefined;
  const written = findInDocument(text, words, role, isId, seen) ?? ofOthers;
  // A user who names an object has chosen its id, unless a document contains the id itself.
  const saysName =
    written === undefined &&
    names.some((name) =>
      choosesByName(seen, wordsOf(name), path.startsWith('remove_'), role === 'target' ? tool.effect : undefined),
    );
  const isNamed = saysName && !seen.lookAlikes.has(text.toLowerCase());
  const isSettled = isSaid || isNamed || (tool.effect !== 'delete' && seen.workedOn.has(text.toLowerCase()));
  const found =
    written ??
    findTargetName(text, names, role, tool.effect, seen) ??
    (role === 'reference' && !isSettled ? findReferenceName(names, path, tool, text.toLowerCase(), seen) : undefined) ??
    // A value that is in no text can be in a picture.
    (seen.hasPicture && !isSettled ? unknownPlace : undefined);
  const part = found === undefined && role === 'content' ? findPart(words, seen) : undefined;
  const sources: ProvenanceSource[] = [];
  if (isSaid || isNamed) sources.push('person');
  if (seen.catalog.has(isId ? text.toLowerCase() : words.join(' '))) sources.push('catalog');
  if (found !== undefined || part !== undefined) sources.push('document');
  // The words around a passage of a document are the model's own.
  if (part !== undefined) sources.push('model');
  const isUnsaid =
    !isSaid &&
    !isNamed &&
    (saysName || found !== undefined || isUnaskedObject(text.toLowerCase(), path, role, tool.name, seen));
  return { sources: sources.length === 0 ? ['model'] : sources, found: found ?? part, isUnsaid };
}

/** Number of consecutive words of a document that make a part of a content a quotation. */
const quotedWords = 8;

/** The first passage of a document that a longer text contains. */
function findPart(words: readonly string[], { document }: SeenContent): DocumentMatch | undefined {
  for (let at = 0; at + quotedWords <= words.length; at += 1) {
    const found = document.find(words.slice(at, at + quotedWords));
    if (found !== undefined) return found === 'exhausted' ? unknownPlace : found;
  }
  return undefined;
}

function findInDocument(
  text: string,
  words: readonly string[],
  role: ArgumentRole,
  isId: boolean,
  seen: SeenContent,
): DocumentMatch | undefined {
  if (isId) {
    return seen.document.findId(text) ?? findIdInCarriers(seen.carriers, text);
  }
  // Pages have field names as captions: only the exact spelling of the argument counts.
  const look = (index: SeenContent['document']) =>
    role === 'field'
      ? index.findExact(text)
      : (index.find(words) ?? (role === 'content' ? undefined : index.findDisguised(words)));
  const found = look(seen.document);
  // If the search budget is exhausted, a document counts as the source.
  if (found !== undefined) return found === 'exhausted' ? unknownPlace : found;
  return role === 'content' ? undefined : findInCarriers(seen.carriers, look, { words: words.length });
}

/** A phrase as it is, or disguised. */
const findShown = (index: SeenContent['document'], words: readonly string[]) =>
  index.find(words) ?? index.findDisguised(words);

/** The match of a target's name in a document. Objects that the conversation works on count only if they would be deleted. */
function findTargetName(
  id: string,
  names: readonly string[],
  role: ArgumentRole,
  effect: Effect,
  seen: SeenContent,
): DocumentMatch | undefined {
  if (role !== 'target' || (effect !== 'delete' && seen.working.has(id.toLowerCase()))) return undefined;
  for (const name of names) {
    const words = wordsOf(name);
    if (words.length === 0) continue;
    const found =
      findShown(seen.document, words) ??
      findInCarriers(seen.carriers, (index) => findShown(index, words), {
        ownId: id.toLowerCase(),
        words: words.length,
      });
    if (found !== undefined) return found === 'exhausted' ? unknownPlace : found;
  }
  return undefined;
}

/**
 * The match of a reference's name in a document, if the document speaks of it as an object (“the tag Urgent”). The name
 * alone counts if an existing object gets it in a list, as a document gets tags, and the user spoke of no such object.
 */
function findReferenceName(
  names: readonly string[],
  path: string,
  tool: LabelledTool,
  ownId: string,
  { document, ownWords, carriers }: SeenContent,
): DocumentMatch | undefined {
  const kinds = numbersOf(kindOf(path));
  const isAdded = tool.target !== 'new' && path.includes('.');
  const isUnasked = isAdded && !speaksOfKind(kindOf(path), ownWords);
  for (const name of names) {
    const words = wordsOf(name);
    if (words.length === 0) continue;
    const look = (index: SeenContent['document']) => {
      const found = index.find(words);
      if (found === 'exhausted') return found;
      if (found === undefined) return index.findDisguised(words);
      const asObject = index.findNear(kinds, words, orderGap) ?? index.findNear(words, kinds, orderGap);
      return asObject ?? (isUnasked ? found : undefined);
    };
    const found = look(document) ?? findInCarriers(carriers, look, { ownId, words: words.length });
    if (found !== undefined) return found === 'exhausted' ? unknownPlace : found;
  }
  return undefined;
}

/** The text of a document that orders a call of this tool; undefined if the user asked for it too. */
function findOrder(
  { name, effect }: LabelledTool,
  { document, ownWords, deletionOrders, hasPicture, carriers }: SeenContent,
): DocumentMatch | undefined {
  const words = wordsOf(name);
  const orders = effect === 'delete' ? deletionOrders : ownWords;
  const [verb = '', ...nouns] = words;
  const verbs = effect === 'delete' ? [...new Set([verb, 'delete', 'remove', 'erase'])] : [verb];
  if (ordersBy(verbs, orders)) return undefined;
  const look = (index: SeenContent['document']) => index.find(words) ?? ordered(index);
  const ordered = (index: SeenContent['document']) =>
    effect === 'delete' ? index.findNear(verbs, nouns.flatMap(numbersOf), orderGap) : undefined;
  const found = look(document) ?? findInCarriers(carriers, look) ?? disguisedOrder(verbs, nouns, effect, document);
  if (found !== undefined) return found === 'exhausted' ? unknownPlace : found;
  return effect === 'delete' && hasPicture ? unknownPlace : undefined;
}

/** An order to delete whose words are disguised: each phrase that says it, with the words that stand between. */
function disguisedOrder(
  verbs: readonly string[],
  nouns: readonly string[],
  effect: Effect,
  document: SeenContent['document'],
): DocumentMatch | undefined {
  if (effect !== 'delete') return undefined;
  for (const verb of verbs) {
    if (findShown(document, [verb]) === undefined) continue;
    for (const noun of nouns.flatMap(numbersOf)) {
      for (const between of [[], ['the'], ['this'], ['that'], ['your'], ['all'], ['all', 'the'], ['this', 'whole']]) {
        const found = document.findDisguised([verb, ...between, noun]);
        if (found !== undefined) return found;
      }
    }
  }
  return undefined;
}

/** A noun as singular and plural: `tags` as `tags` and `tag`. */
const numbersOf = (noun: string): string[] => [noun, noun.endsWith('s') ? noun.slice(0, -1) : `${noun}s`];

/** Maximum number of words between “delete” and “schema” in an order. */
const orderGap = 3;

const unknownPlace: DocumentMatch = { place: { found_in: 'tool_result' }, text: '', start: 0, end: 0 };

function passageOf(path: string, { text, start, end, place }: DocumentMatch): Passage {
  const shortened = (from: number, to: number) => text.slice(Math.max(0, from), to).replace(/\s+/gu, ' ').trim();
  const quoteEnd = Math.min(end, start + maxQuoteLength);
  return { path, ...place, quote: shortened(start, quoteEnd), text: shortened(start - 60, quoteEnd + 60) };
}
