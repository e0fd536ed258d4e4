import type { Document } from 'mongodb';

/** A file in the unified test format, with the parts that these suites use. */
export interface TestFile {
  description: string;
  runOnRequirements?: Requirement[];
  createEntities?: Document[];
  initialData?: CollectionData[];
  tests: SpecificationTest[];
}

export interface SpecificationTest {
  description: string;
  runOnRequirements?: Requirement[];
  operations: Operation[];
  expectEvents?: ExpectedEvents[];
  outcome?: CollectionData[];
}

export interface Requirement {
  minServerVersion?: string;
  maxServerVersion?: string;
  topologies?: string[];
  auth?: boolean;
}

export interface CollectionData {
  collectionName: string;
  databaseName: string;
  documents: Document[];
}

export interface Operation {
  name: string;
  object: string;
  arguments?: Document;
  expectResult?: unknown;
  expectError?: ExpectedError;
  saveResultAsEntity?: string;
}

export interface ExpectedError {
  isError?: boolean;
  isClientError?: boolean;
  errorContains?: string;
  errorCode?: number;
  errorResponse?: Document;
  expectResult?: unknown;
}

export interface ExpectedEvents {
  client: string;
  eventType?: string;
  ignoreExtraEvents?: boolean;
  events: Document[];
}
