/** An error as it appears in the log. */
interface LoggableError {
  type: string;
  /** Omitted if it could quote stored or sent data. */
  message?: string;
  stack?: string;
  cause?: LoggableError | string;
  [field: string]: unknown;
}

/** Fields that describe the failure without its data. All other fields are omitted. */
const allowedFields = ['code', 'codeName', 'kind', 'statusCode', 'errno', 'syscall', 'address', 'port', 'hostname'];

/** Causes of causes. */
const maxDepth = 5;

/**
 * Reduces an error to the allowed fields: the driver's errors contain the records to write, and their messages quote
 * values.
 */
export function loggableError(error: unknown, depth = 0): LoggableError {
  if (!(error instanceof Error)) return { type: typeof error };
  const shown: LoggableError = { type: error.constructor.name };
  if (!quotesData(error)) shown.message = error.message;
  for (const field of allowedFields) {
    const value = (error as unknown as Record<string, unknown>)[field];
    if (typeof value === 'string' || typeof value === 'number') shown[field] = value;
  }
  const frames = framesOf(error);
  if (frames !== '') shown.stack = frames;
  const { cause } = error;
  if (cause !== undefined && depth < maxDepth) {
    shown.cause = cause instanceof Error ? loggableError(cause, depth + 1) : typeof cause;
  }
  return shown;
}

/** Errors of the database connection, which contain no record. */
const aboutConnection = [
  'MongoNetworkError',
  'MongoServerSelectionError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongooseServerSelectionError',
];

/**
 * Database errors quote the refused values, mongoose's cast errors the value, and JSON syntax errors the text. Classes
 * are compared by name, so that the log does not import the database.
 */
function quotesData(error: Error): boolean {
  const classes = classesOf(error);
  if (classes.some((name) => aboutConnection.includes(name))) return false;
  return ['SyntaxError', 'MongoError', 'MongooseError'].some((name) => classes.includes(name));
}

function classesOf(error: Error): string[] {
  const names: string[] = [];
  for (let type: unknown = Object.getPrototypeOf(error); type instanceof Object; type = Object.getPrototypeOf(type)) {
    names.push(type.constructor.name);
  }
  return names;
}

/** The stack frames, without the lines that repeat the message. */
function framesOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .slice(0, 30)
    .join('\n');
}
