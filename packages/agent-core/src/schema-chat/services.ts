import type { Column, ColumnTable, Document, DocumentAnalysis, FeatureFlags } from '@docwright/contract';
import type { PageText } from '../document-agent/context/document-block.ts';
import type { Locale } from '../turns/locale-lines.ts';

/** The project, which the caller stores and sends with every request. The tools of a request change it in order. */
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
  /** At most `limit` documents whose name contains the text, the newest first. */
  find(name: string, limit: number): Promise<readonly Pick<Document, 'id' | 'document_name'>[]>;
  /** The layout text; empty until it has been read. */
  text(document_id: string): Promise<readonly PageText[]>;
}

/**
 * The services of the schema chat's tools: the caller's project, and read access to the documents of one organization.
 * Nothing is stored.
 */
export interface SchemaChatServices {
  readonly project: SchemaProject;
  readonly documents: ReadableDocuments;
  /** The problem of a pattern and what to do; patterns with unbounded run time are refused. */
  readonly problemOfPattern: (pattern: string) => string | undefined;
  /** Where and in which language the organization reads; a request can say it itself. */
  locale?(): Promise<Locale>;
}
