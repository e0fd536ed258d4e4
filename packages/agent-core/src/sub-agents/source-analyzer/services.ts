import type { PluginInfo } from '@docwright/contract';

/** Files of one type in a source, counted without reading them. */
export interface FileTypeCount {
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

/** Problems of files, found without reading them. Names are untrusted data. */
export interface FileProblems {
  unreadable: { code: string; message: string; files: number; example: string }[];
  /** Files of the same type and size as another one, and the names of two of them. */
  copies: { files: number; one: string; other: string }[];
}

/** A file of the sample; only these can be read. Its name is untrusted data. */
export interface SampledFile {
  document_id: string;
  name: string;
  extension: string;
  pages: number | null;
}

/** The outcome of reading one file with one parser. */
export type ParserTrial =
  | { success: true; pages: number; characters: number; excerpt: string }
  | { success: false; reason: string; error: string };

/** The source to analyze. */
export interface SourceFiles {
  /** The most frequent kinds first. */
  kinds(): Promise<FileTypeCount[]>;
  problems(): Promise<FileProblems>;
  /** A sample of at most `max` files, spread over all types. */
  sample(max: number): Promise<SampledFile[]>;
  tryParser(documentId: string, pluginId: string, signal: AbortSignal): Promise<ParserTrial>;
  /** The beginning of a file's text, as read at the upload. */
  text(documentId: string, maxCharacters: number): Promise<string>;
  parsers(): PluginInfo[];
  /** The id of the parser that usually reads files with an extension. */
  usualParser(extension: string): string;
}
