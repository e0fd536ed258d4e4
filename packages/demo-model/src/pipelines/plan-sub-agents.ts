import type { RuleInput } from '../conversation/conversation.ts';
import type { Outcome } from '../conversation/outcome.ts';
import { type PlanOfSteps, use } from '../conversation/plan.ts';
import { documentOf } from '../page/document-text.ts';
import { kindName, kindOfDocument } from '../propose/document-kind.ts';
import { listOf, listOfTexts, objectOf, textOf } from './read-values.ts';

/** Whether the request is for sampling a source. */
export const analyzesSource = ({ tools }: RuleInput): boolean => tools.has('enumerate_files');
/** Whether the request is for testing a pipeline. */
export const validatesPipeline = ({ tools }: RuleInput): boolean => tools.has('run_dry_run');

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

interface SampledFile {
  id: string;
  extension: string;
  parser: string;
}

/** Counts and samples the files, tries the parser of each type on the sample, and returns the results as JSON. */
export function* planSourceAnalysis(): PlanOfSteps {
  const [counted, sampled] = yield {
    text: '',
    calls: [
      { name: 'enumerate_files', arguments: {} },
      { name: 'sample_files', arguments: { max_files: 12 } },
    ],
  };
  const files = listOf(valueOf(sampled).files).map(({ document_id, extension, parser }): SampledFile => ({
    id: textOf(document_id),
    extension: textOf(extension),
    parser: textOf(parser),
  }));
  const tryParser = ({ id, parser }: SampledFile) => ({
    name: 'try_parser',
    arguments: { document_id: id, plugin_id: parser },
  });
  const previews = files.map(({ id }) => ({
    name: 'get_file_content_preview',
    arguments: { document_id: id, max_characters: 4000 },
  }));
  const outcomes = files.length > 0 ? yield { text: '', calls: [...files.map(tryParser), ...previews] } : [];
  const hasSucceeded = (outcome: Outcome | undefined) => valueOf(outcome).success === true;
  const trials = files.map((file, index) => ({
    ...file,
    isRead: hasSucceeded(outcomes[index]),
    reason: valueOf(outcomes[index]).reason,
  }));
  // A scanned PDF has no text layer: only OCR can read it.
  const scans = trials
    .filter(({ reason, extension }) => reason === 'no_text_layer' && extension === 'pdf')
    .map((trial) => ({ ...trial, parser: 'ocr' }));
  const scanOutcomes = scans.length > 0 ? yield { text: '', calls: scans.map(tryParser) } : [];
  const readByOcr = new Set(scans.filter((_, index) => hasSucceeded(scanOutcomes[index])).map(({ id }) => id));

  const extensions = [...new Set(files.map(({ extension }) => extension))];
  const kinds = outcomes.slice(files.length).map((outcome) => kindOfText(textOf(valueOf(outcome).text)));
  const total = Number(valueOf(counted).total_files ?? 0);
  const readCount = trials.filter(({ id, isRead }) => isRead || readByOcr.has(id)).length;
  return JSON.stringify({
    success: counted?.kind === 'done',
    data: {
      document_types: countTypes(kinds),
      quality_issues: [],
      parser_recommendations: extensions.map((extension) => {
        const sameType = trials.filter((trial) => trial.extension === extension);
        const usualCount = sameType.filter(({ isRead }) => isRead).length;
        const ocrCount = sameType.filter(({ id }) => readByOcr.has(id)).length;
        const prefersOcr = ocrCount > usualCount;
        const plugin_id = prefersOcr ? 'ocr' : sameType[0]!.parser;
        const count = prefersOcr ? usualCount + ocrCount : usualCount;
        const fallback = ocrCount > 0 && !prefersOcr ? ` OCR as fallback reads ${ocrCount} more.` : '';
        const reason = `It read ${count} of ${sameType.length} sampled files.${fallback}`;
        return { extension, plugin_id, confidence: count / sameType.length, reason };
      }),
    },
    uncertainties: [],
    summary: `${total} ${total === 1 ? 'file' : 'files'} (${extensions.join(', ') || 'none sampled'}); ${readCount} of ${files.length} sampled files can be read.`,
  });
}

function kindOfText(text: string): string {
  return kindName(kindOfDocument(documentOf('', [{ page: 1, text }]))?.kind ?? 'document');
}

function countTypes(types: string[]) {
  return [...Map.groupBy(types, (type) => type)].map(([type, found]) => ({ type, count: found.length }));
}

/** Runs the pipeline on a sample, examines the failures, tests fixes, and returns the results as JSON. */
export function* planValidation({ system }: RuleInput): PlanOfSteps {
  const run = valueOf(yield* use('run_dry_run', { sample_size: 20 }));
  const failed = Number(run.failed ?? 0);
  const tested = Number(run.tested ?? 0);
  const documents = listOf(run.documents);
  const chunked = documents.find((document) => Number(document.chunks ?? 0) > 0);
  const categories = failed > 0 ? listOf(valueOf(yield* use('get_failure_details', {})).categories) : [];
  const codes = categories.map(({ category }) => textOf(category));
  const fixed = fixedPipeline(system, codes);
  const retried = fixed && valueOf(yield* use('try_alternative_config', { pipeline: fixed }));
  const nowSucceeded = Number(retried?.succeeded ?? 0);
  if (chunked) yield* use('inspect_chunks', { document_id: chunked.document_id });
  const sentences = [`${tested - failed} of ${tested} documents succeeded.`];
  if (failed > 0) {
    const reasons = categories.map(
      ({ category, count }) => `${String(count)} ${failureLabels[textOf(category)] ?? textOf(category)}`,
    );
    sentences.push(`What failed: ${reasons.join(', ')}.`);
  }
  if (nowSucceeded > 0) sentences.push(`With the missing parsers, ${nowSucceeded} more succeed.`);
  return JSON.stringify({
    success: documents.length > 0,
    data: {
      fixes: codes.map((category) => ({ category, fix: fixFor(category) })),
      assessment: failed > 0 ? 'needs_adjustment' : 'ready',
    },
    uncertainties: [],
    summary: sentences.join(' '),
  });
}

const fixableCategories = ['no_text_layer', 'no_parser', 'unsupported_file_type'];

/** The proposed pipeline with OCR for pages without a text layer and a parser for every type; undefined when no failure is fixable. */
function fixedPipeline(system: string, codes: readonly string[]): Record<string, unknown> | undefined {
  if (!codes.some((code) => fixableCategories.includes(code))) return undefined;
  const pipeline = objectOf(/The proposed pipeline:\n(\{.*\})/u.exec(system)?.[1]);
  const parsers = listOf(pipeline.parsers);
  if (parsers.length === 0) return undefined;
  const extensionsOf = (parser: Record<string, unknown>) => listOfTexts(parser.extensions);
  const known = new Set(parsers.flatMap(extensionsOf));
  const added = Object.entries(parserOf).flatMap(([extension, plugin_id]) =>
    known.has(extension) ? [] : [{ extensions: [extension], plugin_id }],
  );
  const imageExtensions = ['png', 'jpg', 'jpeg', 'tif', 'tiff', 'webp', 'gif', 'bmp'].filter(
    (extension) => !known.has(extension),
  );
  if (imageExtensions.length > 0) added.push({ extensions: imageExtensions, plugin_id: 'ocr' });
  return {
    ...pipeline,
    parsers: [
      ...parsers.map((parser) => (parser.plugin_id === 'pdf_text' ? { ...parser, fallback_plugin_id: 'ocr' } : parser)),
      ...added,
    ],
  };
}

const failureLabels: Readonly<Record<string, string>> = {
  no_text_layer: 'without a text layer',
  no_parser: 'of a type that no parser reads',
  password_required: 'with a password',
  damaged_file: 'damaged',
};

function fixFor(category: string): string {
  if (category === 'no_text_layer') return 'Give the parser of PDF files the fallback ocr.';
  if (category === 'no_parser') return 'Add a parser for files of this kind.';
  if (category === 'password_required')
    return 'Take the password off these files and upload them again, or leave them out.';
  if (category === 'damaged_file') return 'No parser reads a damaged file: upload it again, or leave it out.';
  return 'Look at the examples, and choose another parser for such files.';
}

function valueOf(outcome: Outcome | undefined): Record<string, unknown> {
  return outcome?.kind === 'done' ? outcome.value : {};
}
