import { addUsage, noUsage } from '@docwright/agent-core';
import type { PageText } from '@docwright/agent-core';
import { DomainError, type Grounding, type Usage, type ValidationError } from '@docwright/contract';
import type { Page } from '@docwright/documents';
import {
  headersFor,
  issuesOf,
  mergedPaths,
  readInPieces,
  type Piece,
  type PieceAnswer,
  type ResultIssue,
} from '@docwright/documents/long';
import type { PieceRead, StoredPiece } from './progress-repository.ts';
import type { Survey } from './survey-document.ts';

/** What a request is shown. `part` is absent where it holds the whole document. */
export interface RequestedPages {
  pages: PageText[];
  part?: DocumentPart;
}

export interface DocumentPart extends Piece {
  page_count: number;
  /** Lines that name the columns of tables that go on from earlier pages. */
  headers: { page_num: number; text: string }[];
}

/** An answer that fits the schema, or not quite; or one that stopped at the model's output limit. */
export type RequestAnswer = ({ kind: 'read' } & PieceRead) | { kind: 'cut'; reason: DomainError; usage: Usage };

export interface DocumentReading {
  survey: Survey;
  /** Lists of objects that the schema has. */
  lists: { path: string; fields: string[] }[];
  extract: (requested: RequestedPages) => Promise<RequestAnswer>;
  /** Holds the merged result against the whole schema. */
  validate: (result: unknown) => ValidationError[];
  /** The places of the values of one answer, on the pages that its request held. */
  ground: (answer: PieceRead, pages: Page[]) => Promise<Record<string, Grounding>>;
  pagesBetween: (from: number, to: number) => Promise<Page[]>;
  /** Finished pieces, which outlive this process. */
  stored: {
    get(piece: Piece): Promise<StoredPiece | undefined>;
    save(piece: Piece, answer: StoredPiece): Promise<void>;
  };
  maxRequests: number;
  onProgress: (progress: { pieces_done: number; pieces_total: number }) => void;
}

export interface DocumentRead {
  result: unknown;
  validation_errors: ValidationError[];
  grounding: Record<string, Grounding>;
  issues: ResultIssue[];
  /** How much the model doubts a value, 0 to 1, by path. */
  doubts: Record<string, number>;
  usage: Usage;
  model: string;
}

/** Requests of one extraction at the same time; the model's service has limits of its own. */
const requestsAtOnce = 4;

/** Reads a document, in as many requests as it takes, and says what might be missing. */
export async function readDocument(reading: DocumentReading): Promise<DocumentRead> {
  const { survey, lists, validate, stored, maxRequests, onProgress } = reading;
  const { tables, cutPages } = survey;
  let usage = noUsage;
  let model = '';
  const answers = new Map<string, StoredPiece & { kind: 'read' }>();

  async function ask(piece: Piece): Promise<PieceAnswer> {
    const known = await stored.get(piece);
    const answer = known ?? (await askModel(reading, piece));
    if (answer.kind === 'failed') return answer;
    usage = addUsage(usage, answer.usage);
    if (!known) await stored.save(piece, answer.kind === 'cut' ? { kind: 'cut', usage: answer.usage } : answer);
    if (answer.kind === 'cut') return { kind: 'cut', reason: 'reason' in answer ? answer.reason : cutAnswer() };
    ({ model } = answer);
    answers.set(keyOf(piece), answer);
    return { kind: 'read', result: answer.result };
  }

  const read = await readInPieces({
    pieces: survey.pieces,
    tables,
    lists,
    ask,
    atOnce: requestsAtOnce,
    maxRequests,
    onProgress,
  });
  if (read.read.length === 0) throw read.failed[0]?.reason ?? cutAnswer();
  const issues = issuesOf(read, cutPages);
  const [only] = survey.pieces;
  const whole = survey.pieces.length === 1 && only ? answers.get(keyOf(only)) : undefined;
  const isWhole = whole !== undefined && read.read.length === 1 && read.read[0]?.to === only?.to;
  const { result } = isWhole && read.rows.strayRows.size === 0 ? whole : read.merged;
  return {
    result,
    validation_errors: isWhole && result === whole.result ? whole.validation_errors : validate(result),
    grounding: await groundPieces(reading, read, answers),
    issues,
    doubts: mergedDoubts(read, answers),
    usage,
    model,
  };
}

async function askModel(
  { survey, extract }: DocumentReading,
  { from, to }: Piece,
): Promise<RequestAnswer | { kind: 'failed'; reason: DomainError }> {
  const { pages, tables } = survey;
  const within = pages.filter(({ page_num }) => page_num >= from && page_num <= to);
  const part: DocumentPart = { from, to, page_count: pages.length, headers: headersFor({ from, to }, tables) };
  try {
    return await extract({ pages: within, ...(within.length < pages.length && { part }) });
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'model_failed') throw error;
    // Half of the pages can be few enough for the model.
    if (error.code === 'model_context_exceeded') return { kind: 'cut', reason: error, usage: noUsage };
    return { kind: 'failed', reason: error };
  }
}

/** Each value is looked for on the pages of its piece alone, so that the words of no more than one piece are in memory. */
async function groundPieces(
  { ground, pagesBetween }: DocumentReading,
  { merged, read }: Awaited<ReturnType<typeof readInPieces>>,
  answers: ReadonlyMap<string, PieceRead>,
): Promise<Record<string, Grounding>> {
  const groundings: Record<string, Grounding> = {};
  for (const piece of read) {
    const pathOf = mergedPaths(merged, piece);
    const answer = answers.get(keyOf(piece));
    const found = answer ? await ground(answer, await pagesBetween(piece.from, piece.to)) : {};
    for (const [path, grounding] of Object.entries(found)) {
      const place = pathOf(path);
      if (place !== undefined) groundings[place] = grounding;
    }
  }
  return groundings;
}

function mergedDoubts(
  { merged, read }: Awaited<ReturnType<typeof readInPieces>>,
  answers: ReadonlyMap<string, PieceRead>,
): Record<string, number> {
  const doubts: Record<string, number> = {};
  for (const piece of read) {
    const pathOf = mergedPaths(merged, piece);
    for (const [path, doubt] of Object.entries(answers.get(keyOf(piece))?.doubts ?? {})) {
      const place = pathOf(path);
      if (place !== undefined) doubts[place] = Math.max(doubts[place] ?? 0, doubt);
    }
  }
  return doubts;
}

function keyOf({ from, to }: Piece): string {
  return `${from} ${to}`;
}

function cutAnswer(): DomainError {
  return new DomainError(
    'model_failed',
    'model_bad_answer',
    'The answer of the model was cut off at its output limit. Ask for fewer fields or choose a model with a larger one.',
  );
}
