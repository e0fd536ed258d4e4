import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { documentPageTextQuery, documentWordsQuery } from '../../../shared/api/documents-api.ts';
import { densestMark } from '../../../shared/formats/snippet.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { boxStyle, type PageBox } from '../geometry/box-geometry.ts';
import { passageBoxes } from './passage-boxes.ts';
import type { LinkedPassage } from './passage.ts';

interface PassageLayerProps {
  documentId: string;
  passage: LinkedPassage;
  onReveal: (box: PageBox) => void;
}

/** Length of the text that a reader sees at once, in characters. */
const visibleLength = 250;

/** Highlights a passage on its page, with its matches in a stronger colour, and scrolls to it. */
export function PassageLayer({ documentId, passage, onReveal }: PassageLayerProps) {
  const { orgId } = useSession();
  const words = useQuery(documentWordsQuery(orgId, documentId, passage.page)).data;
  const text = useQuery(documentPageTextQuery(orgId, documentId, passage.page)).data?.pages[0]?.text;
  const boxes = useMemo(
    () => (words && text !== undefined ? passageBoxes(passage, text, words) : undefined),
    [passage, text, words],
  );
  const place = useMemo(() => {
    if (!passage.found || text === undefined) return undefined;
    const { matches } = passage.found;
    const densest = densestMark(text, matches, visibleLength);
    const match = densest && boxes?.matches[matches.indexOf(densest)]?.[0];
    return match ?? boxes?.lines[0];
  }, [boxes, passage, text]);
  useEffect(() => {
    if (place) onReveal(place);
  }, [place, onReveal]);
  return (
    <div className="pointer-events-none absolute inset-0 z-10 mix-blend-multiply">
      {boxes?.lines.map((box, index) => (
        <span key={index} data-passage="" style={boxStyle(box)} className="absolute rounded-[2px] bg-passage" />
      ))}
      {boxes?.matches.flatMap((match, ordinal) =>
        match.map((box, index) => (
          <span
            key={`${ordinal}-${index}`}
            data-match=""
            style={boxStyle(box)}
            className="absolute rounded-[2px] bg-hit-active"
          />
        )),
      )}
    </div>
  );
}
