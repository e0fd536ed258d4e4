import type { Citation, Claim } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, type ComponentProps } from 'react';
import type { AssistantEntry } from '../../../agent-ui/chat-state.ts';
import { MarkedMarkdown, Markdown } from '../../../agent-ui/markdown/markdown.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { textLinkClass } from '../../../shared/ui/text-link.ts';
import { Tip } from '../../../shared/ui/tip.tsx';
import { citationLabel, citationsOf, coverageLabel } from '../sources/source-labels.ts';
import { useSources, type SourcedAnswer } from '../sources/sources.tsx';
import { markClaims, withoutCitations } from './mark-claims.ts';

interface AnswerWithSourcesProps {
  entry: AssistantEntry;
  question: number;
  /** Whether the answer still receives events. */
  isOpen: boolean;
}

/** An answer with its checked sentences. Until they are checked, it is shown without citations. */
export function AnswerWithSources({ entry, question, isOpen }: AnswerWithSourcesProps) {
  const { claims, coverage, text, cards } = entry;
  const answer = useMemo(() => claims && { question, claims, coverage }, [question, claims, coverage]);
  if (answer) return <Checked text={text} answer={answer} />;
  return (
    <>
      <Markdown text={withoutCitations(text)} />
      {!isOpen && cards.length === 0 && (
        <p className="text-xs text-warn">The sentences of this answer were not checked.</p>
      )}
      {isOpen && entry.isTextDone === true && cards.length === 0 && (
        <p className="text-xs text-ink-faint">Checking each sentence against its sources…</p>
      )}
    </>
  );
}

function Checked({ text, answer }: { text: string; answer: SourcedAnswer }) {
  const { claims } = answer;
  const { show } = useSources();
  useEffect(() => show(answer), [show, answer]);
  const mark = useMemo(() => () => markClaims(claims), [claims]);
  const marks = useMemo(() => marksOf(answer), [answer]);
  return (
    <>
      <MarkedMarkdown text={text} mark={mark} marks={marks} />
      <Coverage answer={answer} />
    </>
  );
}

/** The elements that `markClaims` adds. */
function marksOf(answer: SourcedAnswer): ComponentProps<typeof MarkedMarkdown>['marks'] {
  const citations = citationsOf(answer.claims);
  const idOf = (props: object, name: 'data-id' | 'data-claim') => (props as Record<string, string>)[name] ?? '';
  return {
    cite(props) {
      const at = citations.findIndex(({ id }) => id === idOf(props, 'data-id'));
      const citation = citations[at];
      return citation && <CitationButton citation={citation} number={at + 1} answer={answer} />;
    },
    s: ({ children }) => <s className="text-ink-faint decoration-bad">{children}</s>,
    small: (props) => <Reason claim={answer.claims[Number(idOf(props, 'data-claim'))]} />,
  };
}

interface CitationButtonProps {
  citation: Citation;
  number: number;
  answer: SourcedAnswer;
}

/** A number that opens the source of a sentence. */
function CitationButton({ citation, number, answer }: CitationButtonProps) {
  const { detail, open } = useSources();
  const isShown = detail?.kind === 'citation' && detail.citation.id === citation.id;
  const label = citationLabel(citation);
  return (
    <Tip text={label.length > 160 ? `${label.slice(0, 159)}…` : label}>
      <button
        type="button"
        aria-label={`Source ${number}`}
        aria-pressed={isShown}
        onClick={() => open(answer, citation)}
        className={classNames(
          'mx-0.5 inline-flex h-5 min-w-5 items-center justify-center rounded-sm border px-1 align-baseline text-xs leading-none tabular-nums hover:bg-hover',
          isShown ? 'border-accent bg-accent-soft' : 'border-line-strong bg-raised text-ink-soft',
        )}
      >
        {number}
      </button>
    </Tip>
  );
}

function Reason({ claim }: { claim: Claim | undefined }) {
  return (
    <small className="ml-1.5 text-xs text-bad">Not supported: {claim?.why ?? 'it is not in what is cited.'}</small>
  );
}

/** What the answer covers, what it leaves out, and what the check found. */
function Coverage({ answer }: { answer: SourcedAnswer }) {
  const { claims, coverage } = answer;
  const { open } = useSources();
  const checked = claims.filter(({ support }) => support !== 'not_checkable');
  const supported = checked.filter(({ support }) => support === 'supported').length;
  const labels = coverage && coverageLabel(coverage);
  return (
    <div className="flex flex-col gap-0.5 text-xs text-ink-soft">
      {labels && (
        <p>
          {labels.covered}
          {labels.left.map((each) => ` · ${each}`)}.{' '}
          {coverage.without_value.length > 0 && (
            <button type="button" className={textLinkClass} onClick={() => open(answer, 'missing')}>
              Show what is missing
            </button>
          )}{' '}
          {coverage.at_risk > 0 && (
            <Link to="/review" className={textLinkClass}>
              Review values
            </Link>
          )}
        </p>
      )}
      <p>
        {checked.length === 0
          ? 'Nothing here could be checked.'
          : `${supported} of ${checked.length} checked ${checked.length === 1 ? 'sentence' : 'sentences'} supported.`}{' '}
        The check is a filter and not a proof.
      </p>
    </div>
  );
}

/** The answer as text with numbered footnotes. What is unsupported is named so. */
export function answerWithFootnotes({ text, claims }: Pick<AssistantEntry, 'text' | 'claims'>, origin: string): string {
  if (!claims) return withoutCitations(text);
  const citations = citationsOf(claims);
  const numbered = (part: string) =>
    part.replaceAll(/\[\[([^[\]]{1,400})\]\]/gu, (_, inside: string) =>
      inside
        .split(/[,;\s]+/u)
        .flatMap((id) => {
          const at = citations.findIndex((each) => each.id === id);
          return at < 0 ? [] : [`[^${at + 1}]`];
        })
        .join(''),
    );
  let copied = '';
  let at = 0;
  for (const { from, to, support, why = 'it is not in what is cited.' } of claims) {
    const sentence = numbered(text.slice(from, to));
    copied +=
      numbered(text.slice(at, from)) +
      (support === 'unsupported' ? `~~${sentence}~~ (not supported: ${why})` : sentence);
    at = to;
  }
  copied += numbered(text.slice(at));
  const notes = citations.map((each, index) => `[^${index + 1}]: ${citationLabel(each)}${placeOf(each, origin)}`);
  return notes.length === 0 ? copied : `${copied}\n\n${notes.join('\n')}`;
}

function placeOf({ document_id, page_num }: Citation, origin: string): string {
  if (document_id === undefined) return '';
  return ` (${origin}/documents/${document_id}${page_num === undefined ? '' : `?page=${page_num}`})`;
}
