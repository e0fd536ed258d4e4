import { pino, type DestinationStream, type Logger } from 'pino';
import { loggableError } from './loggable-error.ts';
import { loggableUrl } from './request-log.ts';
import type { Settings } from '../settings/settings.ts';

/** Readable lines at a terminal and under `npm start`, JSON lines otherwise. Secrets are omitted. */
export async function createLogger({ logLevel }: Settings): Promise<Logger> {
  return pino(loggerOptions(logLevel), await destination());
}

export function loggerOptions(level: Settings['logLevel']) {
  return {
    level,
    base: null,
    redact: {
      paths: ['*.headers', '*.request', '*.response', '*.config', 'headers', 'authorization', 'cookie', '*.apiKey'],
      remove: true,
    },
    serializers: {
      err: loggableError,
      req: (request: { method: string; url: string }) => ({ method: request.method, url: loggableUrl(request.url) }),
    },
  };
}

async function destination(): Promise<DestinationStream> {
  if (!process.stdout.isTTY && process.env['npm_lifecycle_event'] !== 'start') {
    return pino.destination({ fd: 1, sync: true });
  }
  const { build } = await import('pino-pretty');
  return build({ sync: true, colorize: process.stdout.isTTY, translateTime: 'SYS:HH:MM:ss', ignore: 'reqId' });
}
