import type { Column, ColumnTable, Document, DocumentAnalysis, FeatureFlags } from '@docwright/contract';
import type { PageText } from '../document-agent/context/document-block.ts';

/** What the caller holds and sends with every request; the tools of one request change it in their order. */
export interface SchemaProject {
  columns: readonly Column[];
  /** Lists of objects, whose rows have columns of their own. */
  tables: readonly ColumnTable[];
  description: string;
  multiRow: boolean;
  featureFlags: FeatureFlags;
  analyses: readonly DocumentAnalysis[];
}

/** Documents of the organization. A missing id is a DomainError of kind `not_found`. */
export interface ReadableDocuments {
  get(document_id: string): Promise<Pick<Document, 'id' | 'document_name' | 'page_count' | 'state'>>;
  /** Those whose name holds the text, the newest first, at most `limit`. */
  find(name: string, limit: number): Promise<readonly Pick<Document, 'id' | 'document_name'>[]>;
  /** Layout text as read; empty while the text has not been read. */
  text(document_id: string): Promise<readonly PageText[]>;
}

/**
 * What the tools of schema chat may reach: the caller's own project, and the documents of one organization to read.
 * Nothing of them is stored.
 */
export interface SchemaChatServices {
  readonly project: SchemaProject;
  readonly documents: ReadableDocuments;
  /** What is wrong with a pattern and how to cure it: one that could run without bound is refused. */
  readonly problemOfPattern: (pattern: string) => string | undefined;
}
