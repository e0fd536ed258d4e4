import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';
import { loggableUrl } from '../plugins/app/request-log.ts';
import type { Settings } from './settings.ts';

/** Lines for people at a terminal and under `npm start`, JSON lines for machines otherwise. Secrets are left out. */
export async function createLogger({ logLevel }: Settings): Promise<Logger> {
  const options = {
    level: logLevel,
    base: null,
    redact: {
      paths: ['*.headers', '*.request', '*.response', '*.config', 'headers', 'authorization', 'cookie', '*.apiKey'],
      remove: true,
    },
    serializers: {
      err: stdSerializers.err,
      req: (request: { method: string; url: string }) => ({ method: request.method, url: loggableUrl(request.url) }),
    },
  };
  return pino(options, await destination());
}

async function destination(): Promise<DestinationStream> {
  if (!process.stdout.isTTY && process.env['npm_lifecycle_event'] !== 'start') {
    return pino.destination({ fd: 1, sync: true });
  }
  const { build } = await import('pino-pretty');
  return build({ sync: true, colorize: process.stdout.isTTY, translateTime: 'SYS:HH:MM:ss', ignore: 'reqId' });
}
