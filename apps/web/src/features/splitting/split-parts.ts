import { maxSplitParts, type SplitBody, type SplitProposal } from '@docwright/contract';

/** A planned document: from its first page to the page before the next part. */
export interface SplitPart {
  /** Its first page, counted from 1. */
  from: number;
  name: string;
  tag_ids: string[];
  /** No document gets its pages, such as a separator sheet. */
  is_left_out: boolean;
}

type Proposed = SplitProposal['parts'];

export function proposedParts(proposed: Proposed): SplitPart[] {
  return proposed.map(({ name, pages }) => ({ from: pages[0]![0], name, tag_ids: [], is_left_out: false }));
}

/** The last page of each part. */
export function lastPages(parts: readonly SplitPart[], pageCount: number): number[] {
  return parts.map((_, index) => (parts[index + 1]?.from ?? pageCount + 1) - 1);
}

/** Adds or removes a start. The first page always starts a document. */
export function toggleStart(parts: readonly SplitPart[], page: number, proposed: Proposed, base: string): SplitPart[] {
  if (page <= 1) return [...parts];
  if (parts.some(({ from }) => from === page)) return parts.filter(({ from }) => from !== page);
  const proposal = proposed.find(({ pages }) => pages[0]![0] === page);
  const part = { from: page, name: proposal?.name ?? freeName(parts, base), tag_ids: [], is_left_out: false };
  return [...parts, part].sort((one, other) => one.from - other.from);
}

/** The pages that the start of a part can be moved to: between the starts of its neighbours. */
export function movableRange(
  parts: readonly SplitPart[],
  from: number,
  pageCount: number,
): [first: number, last: number] {
  const index = parts.findIndex((part) => part.from === from);
  return [(parts[index - 1]?.from ?? 0) + 1, (parts[index + 1]?.from ?? pageCount + 1) - 1];
}

export function moveStart(parts: readonly SplitPart[], from: number, to: number, pageCount: number): SplitPart[] {
  if (from <= 1) return [...parts];
  const [first, last] = movableRange(parts, from, pageCount);
  const page = Math.min(last, Math.max(first, to));
  return parts.map((part) => (part.from === from ? { ...part, from: page } : part));
}

export function changePart(
  parts: readonly SplitPart[],
  from: number,
  change: Partial<Omit<SplitPart, 'from'>>,
): SplitPart[] {
  return parts.map((part) => (part.from === from ? { ...part, ...change } : part));
}

/** Why the documents cannot be created as planned. */
export function obstacleOf(parts: readonly SplitPart[]): string | undefined {
  const documents = parts.filter(({ is_left_out }) => !is_left_out);
  if (documents.length === 0) return 'Every page is left out.';
  if (documents.length > maxSplitParts) return `At most ${maxSplitParts} documents are made at once.`;
  if (documents.some(({ name }) => name.trim() === '')) return 'Name each document.';
  return undefined;
}

export function splitBodyOf(parts: readonly SplitPart[], pageCount: number): SplitBody {
  const last = lastPages(parts, pageCount);
  return {
    parts: parts.flatMap(({ from, name, tag_ids, is_left_out }, index) =>
      is_left_out ? [] : [{ name: name.trim(), pages: [[from, last[index]!]], ...(tag_ids.length > 0 && { tag_ids }) }],
    ),
  };
}

/** Reads the parts stored in the browser; undefined if they do not fit the document. */
export function readParts(stored: string | null, pageCount: number): SplitPart[] | undefined {
  if (stored === null) return undefined;
  try {
    const parts: unknown = JSON.parse(stored);
    if (!Array.isArray(parts) || parts.length === 0) return undefined;
    const storedParts: SplitPart[] = parts.map(
      ({ from, name, tag_ids, is_left_out }: Partial<SplitPart>): SplitPart => ({
        from: Number(from),
        name: String(name),
        tag_ids: Array.isArray(tag_ids) ? tag_ids.map(String) : [],
        is_left_out: is_left_out === true,
      }),
    );
    const isInOrder = storedParts.every(({ from }, index) =>
      index === 0 ? from === 1 : from > storedParts[index - 1]!.from && from <= pageCount,
    );
    return isInOrder ? storedParts : undefined;
  } catch {
    return undefined;
  }
}

function freeName(parts: readonly SplitPart[], base: string): string {
  const takenNames = new Set(parts.map(({ name }) => name));
  let number = parts.length + 1;
  while (takenNames.has(`${base} (${number})`)) number += 1;
  return `${base} (${number})`;
}
