import type { FastifyRequest, FastifySerializerCompiler } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { leaveOut, runList, unreadableRecords } from './unreadable-records.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A list, whose damaged records are left out and named in `unreadable`. */
    leavesOutUnreadable?: boolean;
  }
}

/** One damaged record does not make its list unreadable: the answer names what it leaves out, and the log says why. */
export const readableLists = fastifyPlugin(
  async (app) => {
    app.setSerializerCompiler(readableEntries);
    app.addHook('onRoute', (route) => {
      const answer = (route.schema?.response as Record<string, unknown> | undefined)?.['200'];
      if (!(answer instanceof z.ZodObject) || !('unreadable' in answer.shape)) return;
      // Routes share their config with others.
      route.config = { ...route.config, leavesOutUnreadable: true };
    });
    app.addHook('onRequest', (request, _reply, done) => (isList(request) ? runList(done) : done()));
    app.addHook('preSerialization', async (_request, _reply, payload) => withUnreadable(payload));
    app.addHook('onSend', async (request) => {
      for (const { id, error } of unreadableRecords()) {
        request.log.error({ err: error, record: id }, 'a record cannot be read and is left out of a list');
      }
    });
  },
  { name: 'readable-lists' },
);

const isList = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config.leavesOutUnreadable === true;

function withUnreadable(payload: unknown): unknown {
  const ids = unreadableRecords().map(({ id }) => id);
  return ids.length === 0 ? payload : { ...(payload as object), unreadable: ids };
}

/** Leaves out entries that do not fit the schema of a list, such as one with an unknown state. */
const readableEntries: FastifySerializerCompiler<z.ZodType> = (route) => {
  const serialize = serializerCompiler(route);
  return (answer) => {
    try {
      return serialize(answer);
    } catch (error) {
      return serialize(withoutMisfits(answer, error));
    }
  };
};

/** The answer without the entries that an error of its schema names. @throws the error if it names anything else. */
export function withoutMisfits(answer: unknown, error: unknown): unknown {
  const { cause } = error as { cause?: unknown };
  if (!(cause instanceof z.core.$ZodError)) throw error;
  const misfits = new Map<string, Set<number>>();
  for (const { path } of cause.issues) {
    const [list, at] = path;
    if (typeof list !== 'string' || typeof at !== 'number') throw error;
    misfits.set(list, (misfits.get(list) ?? new Set()).add(at));
  }
  const rest: Record<string, unknown> = { ...(answer as object) };
  for (const [list, places] of misfits) {
    const entries = rest[list] as Record<string, unknown>[];
    rest[list] = entries.filter((entry, at) => {
      if (places.has(at)) leaveOut({ id: idOf(entry) }, error);
      return !places.has(at);
    });
  }
  return withUnreadable(rest);
}

/** Some lists name the id of an entry after what it is, such as `tag_id`. */
function idOf(entry: Record<string, unknown>): unknown {
  return entry['id'] ?? Object.entries(entry).find(([name]) => name.endsWith('_id'))?.[1];
}
