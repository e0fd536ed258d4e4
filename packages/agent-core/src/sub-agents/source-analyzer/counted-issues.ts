import { shownName } from '../sub-agent-steps.ts';
import type { SourceFindings } from './findings.ts';

/** What is wrong with the source's files as the tools have counted it, in words for a person. */
export function countedIssues({ kinds, problems, sampled, trials }: SourceFindings): string[] {
  const reading = kinds.reduce((sum, kind) => sum + kind.reading, 0);
  const scans = idsOf(trials.filter(({ reason }) => reason === 'no_text_layer'));
  const triedPdfs = idsOf(trials.filter(({ plugin_id }) => plugin_id === 'pdf_text'));
  const withText = idsOf(trials.filter(({ characters }) => characters !== undefined && characters > 0));
  const empty = [...idsOf(trials.filter(({ characters }) => characters === 0))].filter((id) => !withText.has(id));
  const exampleOf = (id: string | undefined) => shownName(sampled.get(id ?? '')?.name ?? '');
  return [
    ...problems.unreadable.map(
      ({ files, message, example }) =>
        `${countOf(files, 'file')} cannot be read (such as ${shownName(example)}): ${message}`,
    ),
    ...(reading > 0 ? [`${countOf(reading, 'file')} ${reading === 1 ? 'is' : 'are'} still being read.`] : []),
    ...(scans.size > 0
      ? [
          `${scans.size} of ${countOf(triedPdfs.size, 'sampled PDF file')} ${scans.size === 1 ? 'has' : 'have'} pages without a text layer: scans, which OCR reads.`,
        ]
      : []),
    ...(empty.length > 0
      ? [
          `${countOf(empty.length, 'sampled file')} ${empty.length === 1 ? 'has' : 'have'} no text (such as ${exampleOf(empty[0])}).`,
        ]
      : []),
    ...problems.copies.map(
      ({ files, one, other }) =>
        `${files} files have the same type and size and may be copies (${shownName(one)}, ${shownName(other)}).`,
    ),
  ];
}

function idsOf(trials: SourceFindings['trials']): Set<string> {
  return new Set(trials.map(({ document_id }) => document_id));
}

function countOf(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
