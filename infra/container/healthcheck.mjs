/** Exit code 0 when the process of this container serves, for images that have no curl. */
const { HOST = '127.0.0.1', PORT = '3000' } = process.env;
const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
const address = `http://${host.includes(':') ? `[${host}]` : host}:${PORT}/ready`;
const answer = await fetch(address, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined);
process.exit(answer?.ok === true ? 0 : 1);
