import type { Extraction } from '@docwright/contract';
import { createContext, use } from 'react';
import type { FieldNode } from '../../shared/values/result-tree.ts';

/** What the fields need from the shown extraction. */
interface ExtractionView {
  grounding: Extraction['grounding'];
  /** Messages for values that do not fit the schema, by path. */
  problems: Map<string, string>;
  /** Risk, reasons and state of values, by path. */
  review?: NonNullable<Extraction['review']>;
  failedChecks?: NonNullable<Extraction['failed_checks']>;
  /** Prefix of the browser's storage keys for unsaved values. */
  drafts?: string;
  /** Of a verified result: the values of a newer run that differ, formatted, by path. */
  newer?: ReadonlyMap<string, string>;
  /** Takes the value of the newer run. Absent for viewers. */
  take?: (path: string) => void;
  /** Absent for viewers. */
  edit?: (path: string, value: FieldNode['value']) => Promise<void>;
}

export const ExtractionViewContext = createContext<ExtractionView>({ grounding: {}, problems: new Map() });

export const useExtractionView = () => use(ExtractionViewContext);
