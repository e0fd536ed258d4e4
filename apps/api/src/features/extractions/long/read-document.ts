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
import { requestText, type Survey } from './survey-document.ts';

/** The pages of a request. `part` is absent if they are the whole document. */
interface RequestedPages {
  pages: PageText[];
  part?: DocumentPart;
}

export interface DocumentPart extends Piece {
  page_count: number;
  /** The column headers of tables that continue from earlier pages. */
  headers: { page_num: number; text: string }[];
}

/** A parsed answer, valid or not; or one that was cut at the model's output limit. */
export type RequestAnswer = ({ kind: 'read' } & PieceRead) | { kind: 'cut'; reason: DomainError; usage: Usage };

export interface DocumentReading {
  survey: Survey;
  /** The lists of objects in the schema. */
  lists: { path: string; fields: string[] }[];
  extract: (requested: RequestedPages) => Promise<RequestAnswer>;
  /** Validates the merged result against the whole schema. */
  validate: (result: unknown) => ValidationError[];
  /** Grounds the values of one answer on the pages of its request. */
  ground: (answer: PieceRead, pages: Page[]) => Promise<Record<string, Grounding>>;
  pagesBetween: (from: number, to: number) => Promise<Page[]>;
  /** Read for each request, so that only the texts of running requests are in memory. */
  textsBetween: (from: number, to: number) => Promise<Pick<PageText, 'page_num' | 'text'>[]>;
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
  /** The model's doubt in a value, 0 to 1, by path. */
  doubts: Record<string, number>;
  usage: Usage;
  model: string;
  /** An answer of the model was not plain JSON and has been repaired. */
  repaired?: true;
}

/** Concurrent requests of one extraction. The model's service has limits of its own. */
const concurrency = 4;

/** Reads a document with as many requests as it needs, and reports missing values. */
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
    concurrency,
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
    ...(read.read.some((piece) => answers.get(keyOf(piece))?.repaired) && { repaired: true as const }),
  };
}

async function askModel(
  { survey, extract, textsBetween }: DocumentReading,
  { from, to }: Piece,
): Promise<RequestAnswer | { kind: 'failed'; reason: DomainError }> {
  const { pages, tables } = survey;
  const texts = new Map((await textsBetween(from, to)).map((page) => [page.page_num, requestText(page)]));
  const within = pages.flatMap(({ page_num, read_by, confidence, unread }): PageText[] => {
    const text = texts.get(page_num);
    return text === undefined ? [] : [{ page_num, text, read_by, confidence, unread }];
  });
  const part: DocumentPart = { from, to, page_count: pages.length, headers: headersFor({ from, to }, tables) };
  try {
    const isWhole = pages.every(({ page_num }) => page_num >= from && page_num <= to);
    return await extract({ pages: within, ...(!isWhole && { part }) });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // Half of the pages can be few enough for the model.
    if (error.code === 'model_context_exceeded') return { kind: 'cut', reason: error, usage: noUsage };
    if (error.kind !== 'model_failed') throw error;
    return { kind: 'failed', reason: error };
  }
}

/** Grounds each value on the pages of its piece, so that only the words of one piece are in memory. */
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
    'model_answer_cut',
    'The answer of the model was cut off at its output limit. Ask for fewer fields or choose a model with a larger one.',
  );
}
