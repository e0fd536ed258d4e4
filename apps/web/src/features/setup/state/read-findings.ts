import type { Pipeline } from '@docwright/contract';
import { isRecord } from '../../../shared/http/json-value.ts';

/** Results of agents have no fixed shape: values of another type are ignored. */
type Found = Record<string, unknown>;

const records = (value: unknown): Found[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

export interface SourceAnalysis {
  totalFiles: number;
  totalPages: number;
  totalBytes: number;
  sampledFiles: number;
  kinds: { extension: string; files: number }[];
  languages: { name: string; count: number }[];
  documentTypes: { name: string; count: number }[];
  qualityIssues: string[];
  recommendations: { extension: string; pluginId: string; confidence: number; reason: string }[];
}

export function readAnalysis(found: Found): SourceAnalysis {
  const counted = (value: unknown, name: string) =>
    records(value)
      .map((each) => ({ name: text(each[name]), count: number(each['count']) }))
      .filter((each) => each.name !== '')
      .toSorted((one, other) => other.count - one.count);
  return {
    totalFiles: number(found['total_files']),
    totalPages: number(found['total_pages']),
    totalBytes: number(found['total_bytes']),
    sampledFiles: number(found['sampled_files']),
    kinds: records(found['by_extension'])
      .map((each) => ({ extension: text(each['extension']), files: number(each['files']) }))
      .toSorted((one, other) => other.files - one.files),
    languages: counted(found['languages'], 'language'),
    documentTypes: counted(found['document_types'], 'type'),
    qualityIssues: (Array.isArray(found['quality_issues']) ? found['quality_issues'] : []).map(text).filter(Boolean),
    recommendations: records(found['parser_recommendations']).map((each) => ({
      extension: text(each['extension']),
      pluginId: text(each['plugin_id']),
      confidence: Math.min(1, Math.max(0, number(each['confidence']))),
      reason: text(each['reason']),
    })),
  };
}

/** The server validates pipelines, so a short check is enough. */
const pipelineIn = (value: unknown): Pipeline | undefined =>
  isRecord(value) && Array.isArray(value['parsers']) && isRecord(value['chunker'])
    ? (value as unknown as Pipeline)
    : undefined;

export interface Trial {
  tested: number;
  succeeded: number;
  failed: number;
  /** Succeeded without text, so that the search finds nothing of them. */
  withoutText: number;
  /** Still being read. */
  waiting: number;
  /** The tested pipeline. */
  pipeline: Pipeline | undefined;
  /** Results of other pipelines on some of the same documents. */
  alternatives: { pipeline: Pipeline; tested: number; failedBefore: number; failed: number }[];
  assessment: 'ready' | 'needs_adjustment' | 'blocking_issues' | undefined;
  categories: {
    category: string;
    count: number;
    fix: string;
    examples: { documentId: string; name: string; message: string }[];
  }[];
  /** Milliseconds over all tested documents. */
  timings: { stage: string; total: number; slowest: number }[];
}

const assessments = ['ready', 'needs_adjustment', 'blocking_issues'] as const;

export function readTrial(found: Found): Trial {
  const timings = isRecord(found['stage_timings']) ? found['stage_timings'] : {};
  return {
    tested: number(found['tested']),
    succeeded: number(found['succeeded']),
    failed: number(found['failed']),
    withoutText: number(found['without_text']),
    waiting: number(found['waiting']),
    pipeline: pipelineIn(found['pipeline']),
    alternatives: records(found['alternatives']).flatMap((tried) => {
      const other = pipelineIn(tried['pipeline']);
      if (other === undefined || number(tried['tested']) === 0) return [];
      const [failedBefore, failed] = [number(tried['failed_before']), number(tried['failed'])];
      return [{ pipeline: other, tested: number(tried['tested']), failedBefore, failed }];
    }),
    assessment: assessments.find((each) => each === found['assessment']),
    categories: records(found['categories']).map((each) => ({
      category: text(each['category']),
      count: number(each['count']),
      fix: text(each['fix']),
      examples: records(each['examples']).map((example) => ({
        documentId: text(example['document_id']),
        name: text(example['document_name']),
        message: text(example['message']),
      })),
    })),
    timings: Object.entries(timings).flatMap(([stage, times]) =>
      isRecord(times) ? [{ stage, total: number(times['total']), slowest: number(times['slowest']) }] : [],
    ),
  };
}

/** `no_text_layer` → “No text layer”. */
export function categoryLabel(category: string): string {
  const words = category.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

let languageNames: Intl.DisplayNames | undefined;

/** `de` → “German”; an unknown code is returned unchanged. */
export function languageLabel(code: string): string {
  if (code === 'und' || code === 'unknown') return 'Not recognised';
  try {
    languageNames ??= new Intl.DisplayNames('en', { type: 'language' });
    return languageNames.of(code) ?? code;
  } catch {
    return code;
  }
}
