import type { Extraction } from '@docwright/contract';
import { createContext, use } from 'react';
import type { FieldNode } from '../../shared/values/result-tree.ts';

/** What the fields of the shown extraction need from it. */
interface ExtractionView {
  grounding: Extraction['grounding'];
  /** Where a value does not fit its schema, by path. */
  problems: Map<string, string>;
  /** Risk, reasons and state of values, by path. */
  review?: NonNullable<Extraction['review']>;
  failedChecks?: NonNullable<Extraction['failed_checks']>;
  /** Where values that are half written are kept in this browser: a prefix. */
  drafts?: string;
  /** Absent for those who only read. */
  edit?: (path: string, value: FieldNode['value']) => Promise<void>;
}

export const ExtractionViewContext = createContext<ExtractionView>({ grounding: {}, problems: new Map() });

export const useExtractionView = () => use(ExtractionViewContext);
