import type { FastifyInstance } from 'fastify';

/**
 * Records routes as they are registered, so call it before the first one. Paths that end in `*` are files; they would
 * match every path.
 */
export function watchAllowedMethods(app: FastifyInstance) {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (url.endsWith('*') || isRefusal(schema?.response)) return;
    const known = methodsOf.get(url) ?? new Set();
    for (const name of [method].flat()) known.add(name.toUpperCase());
    methodsOf.set(url, known);
  });
  let patterns: { pattern: RegExp; methods: ReadonlySet<string> }[] | undefined;
  return {
    /** Sorted; empty if no route matches the path. */
    of(path: string) {
      patterns ??= [...methodsOf].map(([url, methods]) => ({ pattern: patternOf(url), methods }));
      const served = patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods]);
      return [...new Set(served)].toSorted();
    },
  };
}

/** Whether a route exists only to answer 405. */
function isRefusal(response: unknown): boolean {
  return typeof response === 'object' && response !== null && Object.keys(response).join() === '405';
}

/** A parameter matches up to the next slash, as in the router. */
function patternOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => (segment.startsWith(':') ? '[^/]+' : RegExp.escape(segment)));
  return new RegExp(`^${segments.join('/')}$`, 'u');
}
