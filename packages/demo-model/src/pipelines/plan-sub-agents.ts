import type { Conversation, Outcome } from '../plan/conversation.ts';
import { use, type Plan } from '../plan/plan.ts';
import { listOf, textOf } from './read-values.ts';

/** Whether the model has been asked to look at a source. */
export const analyzesSource = ({ tools }: Conversation): boolean => tools.has('enumerate_files');
/** Whether the model has been asked to try a pipeline. */
export const validatesPipeline = ({ tools }: Conversation): boolean => tools.has('run_dry_run');

const parserOf: Readonly<Record<string, string>> = {
  pdf: 'pdf_text',
  docx: 'docx',
  xlsx: 'spreadsheet',
  csv: 'spreadsheet',
  html: 'html',
  eml: 'email',
  txt: 'plain',
  md: 'plain',
};
const parserFor = (extension: string) => parserOf[extension] ?? 'ocr';

/** Counts, samples, tries the parser of each type on the sample, and says what came of it as JSON. */
export function* planSourceAnalysis(): Plan {
  const [counted, sampled] = yield {
    say: '',
    calls: [
      { name: 'enumerate_files', arguments: {} },
      { name: 'sample_files', arguments: { most: 8 } },
    ],
  };
  const files = listOf(valueOf(sampled).files);
  const ids = files.map((file) => textOf(file.document_id));
  const trials = files.map((file) => ({
    name: 'try_parser',
    arguments: { document_id: file.document_id, plugin_id: parserFor(textOf(file.extension)) },
  }));
  const languages = ids.map((document_id) => ({ name: 'detect_language', arguments: { document_id } }));
  const patterns = ids.length > 0 ? [{ name: 'detect_patterns', arguments: {} }] : [];
  const outcomes = ids.length > 0 ? yield { say: '', calls: [...trials, ...languages, ...patterns] } : [];
  const looks = listOf(valueOf(outcomes.at(-1)).files);
  const read = new Map(files.map((file, at) => [file, valueOf(outcomes[at]).success === true]));
  const extensions = [...new Set(files.map((file) => textOf(file.extension)))];
  const total = Number(valueOf(counted).total_files ?? 0);
  const unread = files.filter((file) => read.get(file) !== true);
  return JSON.stringify({
    success: counted?.kind === 'done',
    data: {
      document_types: counts(looks.map((look) => textOf(look.document_type))),
      quality_issues: unread.map(
        (file) => `${textOf(file.name)} could not be read with ${parserFor(textOf(file.extension))}.`,
      ),
      parser_recommendations: extensions.map((extension) => {
        const same = files.filter((file) => file.extension === extension);
        const good = same.filter((file) => read.get(file) === true).length;
        const confidence = Math.max(0.5, good / same.length);
        const plugin_id = good === 0 && extension === 'pdf' ? 'ocr' : parserFor(extension);
        return { extension, plugin_id, confidence, reason: `It read ${good} of ${same.length} sampled files.` };
      }),
    },
    uncertainties: [],
    summary: `${total} files (${extensions.join(', ') || 'none sampled'}); ${files.length - unread.length} of ${files.length} sampled ones could be read.`,
  });
}

/** Runs the pipeline on a sample, looks into what failed, and says what came of it as JSON. */
export function* planValidation(): Plan {
  const run = valueOf(yield* use('run_dry_run', { sample_size: 20 }));
  const failed = Number(run.failed ?? 0);
  const documents = listOf(run.documents);
  const chunked = documents.find((document) => Number(document.chunks ?? 0) > 0);
  const categories = failed > 0 ? listOf(valueOf(yield* use('get_failure_details', {})).categories) : [];
  if (chunked) yield* use('inspect_chunks', { document_id: chunked.document_id });
  return JSON.stringify({
    success: documents.length > 0,
    data: {
      fixes: categories.map(({ category }) => ({ category, fix: fixFor(textOf(category)) })),
      assessment: failed > 0 ? 'needs_adjustment' : 'ready',
    },
    uncertainties: [],
    summary: `${documents.length - failed} of ${documents.length} documents came through.${failed > 0 ? ` Failures: ${categories.map(({ category, count }) => `${textOf(category)} (${String(count)})`).join(', ')}.` : ''}`,
  });
}

function fixFor(category: string): string {
  if (category === 'no_text_layer') return 'Give the parser of PDF files the fallback ocr.';
  if (category === 'no_parser') return 'Add a parser for files of this kind.';
  if (category === 'not_read_yet') return 'Wait until the documents have been read, and try again.';
  return 'Look at the examples, and choose another parser for such files.';
}

function valueOf(outcome: Outcome | undefined): Record<string, unknown> {
  return outcome?.kind === 'done' ? outcome.value : {};
}

function counts(types: string[]) {
  return [...Map.groupBy(types, (type) => type)].map(([type, found]) => ({ type, count: found.length }));
}
