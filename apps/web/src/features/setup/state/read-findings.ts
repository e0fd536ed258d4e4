import type { Pipeline } from '@docwright/contract';
import { isRecord, recordsIn, textFrom } from '../../../shared/http/json-value.ts';

/** Results of agents have no fixed shape. Values of another type are ignored. */
type Findings = Record<string, unknown>;

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

export function readAnalysis(findings: Findings): SourceAnalysis {
  const countsByName = (value: unknown, name: string) =>
    recordsIn(value)
      .map((each) => ({ name: textFrom(each[name]), count: number(each['count']) }))
      .filter((each) => each.name !== '')
      .toSorted((one, other) => other.count - one.count);
  return {
    totalFiles: number(findings['total_files']),
    totalPages: number(findings['total_pages']),
    totalBytes: number(findings['total_bytes']),
    sampledFiles: number(findings['sampled_files']),
    kinds: recordsIn(findings['by_extension'])
      .map((each) => ({ extension: textFrom(each['extension']), files: number(each['files']) }))
      .toSorted((one, other) => other.files - one.files),
    languages: countsByName(findings['languages'], 'language'),
    documentTypes: countsByName(findings['document_types'], 'type'),
    qualityIssues: (Array.isArray(findings['quality_issues']) ? findings['quality_issues'] : [])
      .map(textFrom)
      .filter(Boolean),
    recommendations: recordsIn(findings['parser_recommendations']).map((each) => ({
      extension: textFrom(each['extension']),
      pluginId: textFrom(each['plugin_id']),
      confidence: Math.min(1, Math.max(0, number(each['confidence']))),
      reason: textFrom(each['reason']),
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
  /** Documents that succeeded without text: the search cannot find them. */
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

export function readTrial(findings: Findings): Trial {
  const timings = isRecord(findings['stage_timings']) ? findings['stage_timings'] : {};
  return {
    tested: number(findings['tested']),
    succeeded: number(findings['succeeded']),
    failed: number(findings['failed']),
    withoutText: number(findings['without_text']),
    waiting: number(findings['waiting']),
    pipeline: pipelineIn(findings['pipeline']),
    alternatives: recordsIn(findings['alternatives']).flatMap((tried) => {
      const other = pipelineIn(tried['pipeline']);
      if (other === undefined || number(tried['tested']) === 0) return [];
      const [failedBefore, failed] = [number(tried['failed_before']), number(tried['failed'])];
      return [{ pipeline: other, tested: number(tried['tested']), failedBefore, failed }];
    }),
    assessment: assessments.find((each) => each === findings['assessment']),
    categories: recordsIn(findings['categories']).map((each) => ({
      category: textFrom(each['category']),
      count: number(each['count']),
      fix: textFrom(each['fix']),
      examples: recordsIn(each['examples']).map((example) => ({
        documentId: textFrom(example['document_id']),
        name: textFrom(example['document_name']),
        message: textFrom(example['message']),
      })),
    })),
    timings: Object.entries(timings).flatMap(([stage, times]) =>
      isRecord(times)
        ? [
            {
              stage,
              // Older conversations have no unit in the names.
              total: number(times['total_ms'] ?? times['total']),
              slowest: number(times['slowest_ms'] ?? times['slowest']),
            },
          ]
        : [],
    ),
  };
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
