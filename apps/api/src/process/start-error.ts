/** A reason why the server does not start, in one line that names the cure. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
