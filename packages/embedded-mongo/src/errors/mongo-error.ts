import type { BsonDocument } from '../values/value.ts';
import { maxDocumentBytes } from './limits.ts';

/** An error as MongoDB reports it: code, name of the code, message. */
export class MongoError extends Error {
  readonly code: number;
  readonly codeName: string;
  /** Further fields of the reply, such as keyPattern and keyValue of a duplicate key. */
  readonly details: BsonDocument | undefined;

  constructor(code: number, codeName: string, message: string, details?: BsonDocument) {
    super(message);
    this.name = 'MongoError';
    this.code = code;
    this.codeName = codeName;
    this.details = details;
  }
}

/** An error whose code is a place in MongoDB's source, such as 40324 for an unknown stage. */
export const locationError = (code: number, message: string): MongoError =>
  new MongoError(code, `Location${code}`, message);

export const badValue = (message: string): MongoError => new MongoError(2, 'BadValue', message);
export const failedToParse = (message: string): MongoError => new MongoError(9, 'FailedToParse', message);
export const typeMismatch = (message: string): MongoError => new MongoError(14, 'TypeMismatch', message);
export const invalidBson = (message: string): MongoError => new MongoError(22, 'InvalidBSON', message);
export const namespaceNotFound = (message: string): MongoError => new MongoError(26, 'NamespaceNotFound', message);
export const indexNotFound = (message: string): MongoError => new MongoError(27, 'IndexNotFound', message);
export const pathNotViable = (message: string): MongoError => new MongoError(28, 'PathNotViable', message);
export const invalidOptions = (message: string): MongoError => new MongoError(72, 'InvalidOptions', message);
export const invalidNamespace = (message: string): MongoError => new MongoError(73, 'InvalidNamespace', message);
export const notSupported = (message: string): MongoError => new MongoError(115, 'CommandNotSupported', message);
export const notImplemented = (message: string): MongoError => new MongoError(238, 'NotImplemented', message);

export const tooLarge = (size: number): MongoError =>
  new MongoError(
    10334,
    'BSONObjectTooLarge',
    `BSONObj size: ${size} is invalid. Size must be between 0 and ${maxDocumentBytes}`,
  );

export const immutableIdentifier = (): MongoError =>
  new MongoError(66, 'ImmutableField', "Performing an update on the path '_id' would modify the immutable field '_id'");
