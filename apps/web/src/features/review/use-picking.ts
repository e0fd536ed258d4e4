import type { documentWords, ReviewItem } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import { documentWordsQuery } from '../../shared/api/documents-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import type { PagePick, PickedBox } from '../../shared/values/page-pick.tsx';
import { textIn } from './picked-value.ts';

type DocumentWords = z.infer<typeof documentWords>;

export interface PickedText {
  text: string;
  /** All words of the page, which show how it writes numbers. */
  pageText: string;
  box?: PickedBox;
}

interface Cursor {
  page: number;
  /** Indexes of the first and last word; either can be the larger. -1 before the first move. */
  from: number;
  to: number;
}

/** Takes words from the page: in a drawn box, or from word to word by keyboard. */
export function usePicking(item: ReviewItem | undefined, onPick: (picked: PickedText) => void) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const [box, setBox] = useState<PickedBox>();
  const [cursor, setCursor] = useState<Cursor>();
  const [problem, setProblem] = useState<string>();
  const documentId = item?.document_id ?? '';
  const wordsOf = (page: number) => documentWordsQuery(orgId, documentId, page);
  const shown = useQuery({ ...wordsOf(cursor?.page ?? 1), enabled: cursor !== undefined && documentId !== '' }).data;
  const cursorBox = cursor && shown && boxAround(shown, cursor);

  const clear = () => {
    setBox(undefined);
    setCursor(undefined);
    setProblem(undefined);
  };
  const take = async (drawn: PickedBox) => {
    setProblem(undefined);
    setBox(drawn);
    const words = await queryClient.fetchQuery(wordsOf(drawn.page_num)).catch(() => undefined);
    const text = words ? textIn(words, drawn) : '';
    if (text === '') {
      setBox(undefined);
      setProblem(words ? 'There are no words in the box.' : 'The words of the page could not be loaded. Try again.');
      return;
    }
    setCursor(undefined);
    onPick({ text, pageText: words!.words.map((word) => word.text).join(' '), box: drawn });
  };
  const pick: PagePick = {
    box: cursorBox ?? box,
    isArmed: cursor !== undefined,
    arm: () => (cursor ? clear() : arm()),
    pickBox: (drawn) => void take(drawn),
    pickText: (text) => onPick({ text, pageText: text }),
  };

  /** Starts picking by keyboard at the place of the value. */
  const arm = () => {
    setProblem(undefined);
    setCursor({ page: item?.grounding?.page_num ?? 1, from: -1, to: -1 });
  };
  const move = (step: (words: DocumentWords, at: number) => number, extends_: boolean) => {
    if (!cursor || !shown || shown.words.length === 0) return;
    const at = cursor.to < 0 ? startOf(shown, item, cursor.page) : cursor.to;
    const to = Math.max(0, Math.min(shown.words.length - 1, step(shown, at)));
    const from = cursor.from < 0 ? at : cursor.from;
    setCursor({ ...cursor, from: extends_ ? from : to, to });
  };
  /** Handles a key of picking; true if it was one. */
  const onKey = ({ key, shiftKey }: KeyboardEvent): boolean => {
    if (!cursor) return false;
    const steps: Record<string, (words: DocumentWords, at: number) => number> = {
      ArrowRight: (_words, at) => at + 1,
      ArrowLeft: (_words, at) => at - 1,
      ArrowDown: (words, at) => nextLine(words, at, 1),
      ArrowUp: (words, at) => nextLine(words, at, -1),
    };
    const step = steps[key];
    if (step) move(step, shiftKey);
    else if (key === 'PageDown') setCursor({ page: cursor.page + 1, from: -1, to: -1 });
    else if (key === 'PageUp') setCursor({ page: Math.max(1, cursor.page - 1), from: -1, to: -1 });
    else if (key === 'Escape' || key === 'b') clear();
    else if (key === 'Enter') {
      if (cursorBox) void take(cursorBox);
    } else return false;
    return true;
  };
  return { pick, problem, isArmed: cursor !== undefined, arm, clear, onKey };
}

/** The index of the first word at the place of the value; 0 if it has no place on the page. */
function startOf({ page, words }: DocumentWords, item: ReviewItem | undefined, pageNumber: number): number {
  const place = item?.grounding?.boxes.find(({ page_num }) => page_num === pageNumber);
  if (!place) return 0;
  const middle = (word: DocumentWords['words'][number]) => [
    (word.x0 + word.x1) / 2 / page.width,
    (word.y0 + word.y1) / 2 / page.height,
  ];
  const at = words.findIndex((word) => {
    const [x = 0, y = 0] = middle(word);
    return x >= place.x0 && x <= place.x1 && y >= place.y0 && y <= place.y1;
  });
  return Math.max(0, at);
}

/** The index of the nearest word on the line above or below. */
function nextLine({ words }: DocumentWords, at: number, direction: 1 | -1): number {
  const from = words[at];
  if (!from) return at;
  const [x, y] = [(from.x0 + from.x1) / 2, (from.y0 + from.y1) / 2];
  const height = Math.max(1, from.y1 - from.y0);
  const away = words
    .map((word, index) => ({
      index,
      dx: Math.abs((word.x0 + word.x1) / 2 - x),
      dy: ((word.y0 + word.y1) / 2 - y) * direction,
    }))
    .filter(({ dy }) => dy > height / 2);
  const nearest = Math.min(...away.map(({ dy }) => dy));
  const line = away.filter(({ dy }) => dy < nearest + height / 2);
  return line.toSorted((a, b) => a.dx - b.dx)[0]?.index ?? at;
}

function boxAround({ page, words }: DocumentWords, { page: page_num, from, to }: Cursor): PickedBox | undefined {
  if (to < 0) return undefined;
  const chosen = words.slice(Math.min(from, to), Math.max(from, to) + 1);
  if (chosen.length === 0) return undefined;
  return {
    page_num,
    x0: Math.max(0, Math.min(...chosen.map(({ x0 }) => x0)) / page.width),
    y0: Math.max(0, Math.min(...chosen.map(({ y0 }) => y0)) / page.height),
    x1: Math.min(1, Math.max(...chosen.map(({ x1 }) => x1)) / page.width),
    y1: Math.min(1, Math.max(...chosen.map(({ y1 }) => y1)) / page.height),
  };
}
