import type { PluginInfo } from '@docwright/contract';

/** Files of one type in a source, counted without reading them. */
export interface FileKind {
  extension: string;
  mime_type: string;
  files: number;
  pages: number;
  size_bytes: number;
  /** Files whose text could not be read. */
  unread: number;
  /** Files whose text is still being read. */
  reading: number;
}

/** What stands in the way of files, told without reading them. Names are data. */
export interface FileProblems {
  unreadable: { code: string; message: string; files: number; example: string }[];
  /** Files of the same type and size as another one, and the names of two of them. */
  copies: { files: number; one: string; other: string }[];
}

export interface SampledFile {
  document_id: string;
  name: string;
  extension: string;
  pages: number | null;
}

/** What came of reading one file with one parser. */
export type ParserTrial =
  | { success: true; pages: number; characters: number; excerpt: string }
  | { success: false; reason: string; error: string };

/** The one source that is analyzed. */
export interface SourceFiles {
  /** The commonest first. */
  kinds(): Promise<FileKind[]>;
  problems(): Promise<FileProblems>;
  /** Of each type some, spread over all of that type. */
  sample(most: number): Promise<SampledFile[]>;
  tryParser(documentId: string, pluginId: string, signal: AbortSignal): Promise<ParserTrial>;
  /** The beginning of its text, as it was read at the upload. */
  text(documentId: string, maxCharacters: number): Promise<string>;
  parsers(): PluginInfo[];
}
