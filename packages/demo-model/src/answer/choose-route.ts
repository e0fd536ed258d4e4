import { isStopWord, kindNamed, stemOf, wordsOf } from '@docwright/language';
import { emptyDocument, readDocument } from '../page/document-text.ts';
import { kindOfDocument } from '../propose/document-kind.ts';
import type { Answer } from '../protocol/answer.ts';
import type { CompletionRequest } from '../protocol/chat-request.ts';

type Format = NonNullable<CompletionRequest['response_format']>;

/** Whether the request asks which description fits a document. */
export const choosesRoute = (format: Format): boolean =>
  format.type === 'json_schema' && format.json_schema.name === 'document_route';

const described = /^(route_\d+): (.+)$/gmu;
/** From this share of a description's words on, it fits. */
const minFit = 0.5;
/** What a kind of documents that the description names counts beside its words. */
const kindShare = 0.6;

/** Chooses the description whose kind of document, or else whose words, the document has. */
export function chooseRoute({ messages }: CompletionRequest): Answer {
  const system = messages.find(({ role }) => role === 'system')?.content ?? '';
  const document =
    readDocument(messages.findLast(({ role }) => role === 'user')?.content ?? '', 'last') ?? emptyDocument;
  const has = new Set(contentStems(document.lines.map(({ text }) => text).join('\n')));
  const kind = kindOfDocument(document)?.kind;
  const fits = [...system.matchAll(described)].map(([, route = '', sentence = '']) => {
    const stems = [...new Set(contentStems(sentence))];
    const overlap = stems.filter((stem) => has.has(stem)).length / Math.max(1, stems.length);
    const named = kindNamed(sentence);
    if (named === undefined || kind === undefined) return { route, fit: overlap };
    return { route, fit: named === kind ? kindShare + (1 - kindShare) * overlap : 0 };
  });
  const [best, next] = fits.toSorted((a, b) => b.fit - a.fit);
  const fit = best?.fit ?? 0;
  const isFound = best !== undefined && fit >= minFit;
  const probability = isFound ? Math.min(0.98, 0.5 + (fit - (next?.fit ?? 0)) / 2) : Math.max(0.5, 1 - fit);
  const tokens = [
    { text: '{"route":"', probability: 1 },
    { text: isFound ? best.route : 'none', probability },
    { text: '"}', probability: 1 },
  ];
  return { text: tokens.map(({ text }) => text).join(''), calls: [], tokens };
}

function contentStems(text: string): string[] {
  return [...wordsOf(text)].flatMap(({ text: word }) =>
    word.length < 3 || isStopWord(word, 'english') ? [] : [stemOf(word, 'english')],
  );
}
