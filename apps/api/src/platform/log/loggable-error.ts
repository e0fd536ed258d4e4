/** What a log line shows of an error. */
interface LoggableError {
  type: string;
  /** Left out where it could quote what somebody stored or sent. */
  message?: string;
  stack?: string;
  cause?: LoggableError | string;
  [field: string]: unknown;
}

/** Fields that say what failed and where, and never with which data. Anything else that an error carries is left out. */
const allowedFields = ['code', 'codeName', 'kind', 'statusCode', 'errno', 'syscall', 'address', 'port', 'hostname'];

/** Causes of causes. */
const maxDepth = 5;

/**
 * An error as the log takes it, by a list of allowed fields: the driver's errors carry the records that were to be
 * written, and their messages quote values of them.
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

/** Errors of the connection to the database, which know nothing of records. */
const aboutConnection = [
  'MongoNetworkError',
  'MongoServerSelectionError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongooseServerSelectionError',
];

/**
 * What the database refuses is named with the values it was refused for, what mongoose cannot cast as well, and what is no
 * JSON is quoted where it stops being any. Classes are told by their names, so that the log needs no database.
 */
function quotesData(error: Error): boolean {
  const classes = classesOf(error);
  if (classes.some((name) => aboutConnection.includes(name))) return false;
  return ['SyntaxError', 'MongoError', 'MongooseError'].some((name) => classes.includes(name));
}

function classesOf(error: Error): string[] {
  const names: string[] = [];
  for (let each: unknown = Object.getPrototypeOf(error); each instanceof Object; each = Object.getPrototypeOf(each)) {
    names.push(each.constructor.name);
  }
  return names;
}

/** The stack without its first lines, which repeat the message. */
function framesOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .slice(0, 30)
    .join('\n');
}
