/** An answer with an error status. */
export class StatusError extends Error {
  readonly status: number;
  readonly payload: unknown;
  readonly headers: Headers | undefined;

  constructor(status: number, payload: unknown, message: string, headers: Headers | undefined) {
    super(message);
    this.status = status;
    this.payload = payload;
    this.headers = headers;
  }
}

/** An error object inside a stream, after status 200. */
export class StreamedError extends Error {
  readonly payload: unknown;

  constructor(payload: unknown) {
    super('The model endpoint sent an error in its stream.');
    this.payload = payload;
  }
}

/** An answer that is not a chat completion. `what` completes the sentence "answered with …". */
export class BadAnswerError extends Error {
  readonly what: string;

  constructor(what: string) {
    super(`The model endpoint answered with ${what}.`);
    this.what = what;
  }
}

/** The endpoint sent nothing for that time. */
export class SilenceError extends Error {
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    super('The model endpoint sends nothing any more.');
    this.milliseconds = milliseconds;
  }
}
