import type { BsonDocument } from './bson/value.ts';

/** An answer of MongoDB's own: its number, its name, and a message that says what was wrong. */
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

/** An error that MongoDB numbers by the place in its source, such as 40324 for an unknown stage. */
export const locationError = (code: number, message: string): MongoError =>
  new MongoError(code, `Location${code}`, message);

export const badValue = (message: string): MongoError => new MongoError(2, 'BadValue', message);
export const failedToParse = (message: string): MongoError => new MongoError(9, 'FailedToParse', message);
export const typeMismatch = (message: string): MongoError => new MongoError(14, 'TypeMismatch', message);
export const illegalOperation = (message: string): MongoError => new MongoError(20, 'IllegalOperation', message);
export const invalidBson = (message: string): MongoError => new MongoError(22, 'InvalidBSON', message);
export const namespaceNotFound = (message: string): MongoError => new MongoError(26, 'NamespaceNotFound', message);
export const indexNotFound = (message: string): MongoError => new MongoError(27, 'IndexNotFound', message);
export const pathNotViable = (message: string): MongoError => new MongoError(28, 'PathNotViable', message);
export const invalidOptions = (message: string): MongoError => new MongoError(72, 'InvalidOptions', message);
export const invalidNamespace = (message: string): MongoError => new MongoError(73, 'InvalidNamespace', message);
export const notSupported = (message: string): MongoError => new MongoError(115, 'CommandNotSupported', message);
export const notImplemented = (message: string): MongoError => new MongoError(238, 'NotImplemented', message);
