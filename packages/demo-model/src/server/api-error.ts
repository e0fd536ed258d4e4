/** An error in the format of OpenAI's clients; `message` is for a user. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.type = status >= 500 ? 'server_error' : 'invalid_request_error';
    this.code = code;
  }

  body(): { error: { message: string; type: string; code: string; param: null } } {
    return { error: { message: this.message, type: this.type, code: this.code, param: null } };
  }
}
