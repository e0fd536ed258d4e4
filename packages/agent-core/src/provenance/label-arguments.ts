import type { Passage, Provenance, ProvenanceSource } from '@docwright/contract';
import type { ArgumentRole } from '../tool/argument-role.ts';
import type { DocumentPlace, SeenContent } from './seen-content.ts';
import { wordsOf, type Found } from './text-index.ts';

/** What is known of where the arguments of a call came from. Plain JSON. */
export interface CallProvenance {
  readonly provenance: Provenance;
  /** Paths of arguments that choose and came out of a document: nothing but a person's approval covers them. */
  readonly chosenByDocument: readonly string[];
  readonly passages: readonly Passage[];
}

/** A write as far as its labels need it. */
export interface LabelledTool {
  readonly name: string;
  readonly argumentRoles?: Readonly<Record<string, ArgumentRole>>;
}

/**
 * Labels each argument of a write by where its content was seen. An argument that is a list or an object has the labels
 * of all that it holds, and what it holds has its own, by dotted path.
 *
 * A choosing argument counts as chosen by a document where its content stands in a document and not in what the user
 * said; a target also where its name does, unless the conversation works on it. Where a document orders the call by the
 * tool's name or in words (“delete the tag”) and the user did not, it has chosen whatever the call works on, what is
 * implied included.
 *
 * @param args as they will be executed; `implied` are those that were left out.
 */
export function labelArguments(
  tool: LabelledTool,
  args: Readonly<Record<string, unknown>>,
  implied: Readonly<Record<string, unknown>>,
  seen: SeenContent,
): CallProvenance {
  const provenance: Provenance = {};
  const passages: Passage[] = [];
  const chosen = new Set<string>();
  const order = orderIn(tool.name, seen);
  for (const [name, value] of Object.entries({ ...implied, ...args })) {
    // An argument that the tool does not declare chooses: forgetting one must not open a way around.
    const role = tool.argumentRoles?.[name] ?? 'reference';
    const isImplied = !Object.hasOwn(args, name);
    const all = new Set<ProvenanceSource>();
    const leaves = leavesOf(value, name);
    for (const [path, leaf] of leaves) {
      const { sources, found, isUnsaid } = isImplied ? fromConversation : sourcesOf(leaf, role, tool.name, seen);
      const labels = new Set(sources);
      const ordering = role === 'content' ? undefined : order;
      if (ordering !== undefined) labels.add('document');
      if (role !== 'content' && (ordering !== undefined || isUnsaid)) chosen.add(path).add(name);
      for (const label of labels) all.add(label);
      if (leaves.length <= maxListed) provenance[path] = ordered(labels);
      const passageAt = found ?? ordering;
      // The names of a schema's fields stand on every page as captions: no passage is worth showing for them.
      const isFieldName = role === 'content' && path !== name && typeof leaf === 'string' && /^[a-z_]+$/.test(leaf);
      if (passageAt !== undefined && !isFieldName && passages.length < maxPassages)
        passages.push(passageOf(path, passageAt));
    }
    provenance[name] = ordered(all.size === 0 ? new Set(['model']) : all);
  }
  return { provenance, chosenByDocument: [...chosen], passages };
}

const maxListed = 50;
const maxPassages = 20;
const longestQuote = 200;
const sourceOrder: readonly ProvenanceSource[] = ['person', 'catalog', 'document', 'model'];

/** What was left out stands for what the user opened. */
const fromConversation: LeafSources = { sources: ['person'], found: undefined, isUnsaid: false };

function ordered(labels: ReadonlySet<ProvenanceSource>): ProvenanceSource[] {
  return sourceOrder.filter((label) => labels.has(label));
}

type DocumentFound = Found<DocumentPlace>;

interface LeafSources {
  readonly sources: readonly ProvenanceSource[];
  /** Where it stands in a document. */
  readonly found: DocumentFound | undefined;
  /** It stands in a document, and the user did not say it. */
  readonly isUnsaid: boolean;
}

const ofModel: LeafSources = { sources: ['model'], found: undefined, isUnsaid: false };

function sourcesOf(leaf: unknown, role: ArgumentRole, tool: string, seen: SeenContent): LeafSources {
  // A yes or no stands nowhere.
  if (typeof leaf !== 'string' && typeof leaf !== 'number') return ofModel;
  const text = String(leaf);
  const words = wordsOf(text);
  if (words.length === 0) return ofModel;
  const isId = /^[0-9a-f]{24}$/i.test(text);
  const names = isId ? (seen.namesOf.get(text.toLowerCase()) ?? []) : [];
  const isSaid = isFound(seen.person.find(words));
  const written = inDocument(text, words, role, isId, seen);
  // Who names a thing has chosen its id, but not one that a document spells out.
  const isNamed = written === undefined && names.some((name) => isFound(seen.person.find(wordsOf(name))));
  const found = written ?? targetNamed(text, names, role, tool, seen);
  const sources: ProvenanceSource[] = [];
  if (isSaid || isNamed) sources.push('person');
  if (seen.catalog.has(isId ? text.toLowerCase() : words.join(' '))) sources.push('catalog');
  if (found !== undefined) sources.push('document');
  if (sources.length === 0) return ofModel;
  return { sources, found, isUnsaid: found !== undefined && !isSaid && !isNamed };
}

function inDocument(
  text: string,
  words: readonly string[],
  role: ArgumentRole,
  isId: boolean,
  seen: SeenContent,
): DocumentFound | undefined {
  if (isId) return seen.document.findId(text);
  // A page has the names of its fields as captions: only a name spelled as the argument is, is taken for an order.
  if (role === 'field') return seen.document.findExact(text);
  const found = seen.document.find(words);
  // Where looking further costs too much, a document is taken for the source.
  return found === 'exhausted' ? unknownPlace : found;
}

/** A target by its id whose name stands in a document. What the conversation works on is left out, unless it would be deleted. */
function targetNamed(
  id: string,
  names: readonly string[],
  role: ArgumentRole,
  tool: string,
  seen: SeenContent,
): DocumentFound | undefined {
  if (role !== 'target' || (!isDeletion(tool) && seen.working.has(id.toLowerCase()))) return undefined;
  for (const name of names) {
    const words = wordsOf(name);
    const found = words.length === 0 ? undefined : seen.document.find(words);
    if (found !== undefined) return found === 'exhausted' ? unknownPlace : found;
  }
  return undefined;
}

const isDeletion = (tool: string): boolean => tool.startsWith('delete_');

/** What a document says where it tells the model to call this tool, and the user does not. */
function orderIn(tool: string, { document, person }: SeenContent): DocumentFound | undefined {
  const words = wordsOf(tool);
  const [verb = '', noun = ''] = [words[0], words.at(-1)];
  const verbs = isDeletion(tool) ? ['delete', 'remove', 'erase'] : [verb];
  if (verbs.some((each) => isFound(person.find([each])))) return undefined;
  const named = document.find(words);
  if (named !== undefined) return named === 'exhausted' ? unknownPlace : named;
  return isDeletion(tool) ? document.findNear(verbs, [noun, `${noun}s`], orderGap) : undefined;
}

/** Words between “delete” and “schema” that are still read as one order. */
const orderGap = 3;

const unknownPlace: DocumentFound = { place: { found_in: 'tool_result' }, text: '', start: 0, end: 0 };

function isFound(found: unknown): boolean {
  return found !== undefined && found !== 'exhausted';
}

function passageOf(path: string, { text, start, end, place }: DocumentFound): Passage {
  const shortened = (from: number, to: number) => text.slice(Math.max(0, from), to).replace(/\s+/gu, ' ').trim();
  const quoteEnd = Math.min(end, start + longestQuote);
  return { path, ...place, quote: shortened(start, quoteEnd), text: shortened(start - 60, quoteEnd + 60) };
}

/** The values that are no lists and no objects, by dotted path; of an empty one, itself. */
function leavesOf(value: unknown, path: string, leaves: [string, unknown][] = []): [string, unknown][] {
  if (typeof value !== 'object' || value === null) leaves.push([path, value]);
  else for (const [key, child] of Object.entries(value)) leavesOf(child, `${path}.${key}`, leaves);
  return leaves;
}
