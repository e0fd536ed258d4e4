import type { FastifyInstance } from 'fastify';

/** Knows of every path of a server by which methods it is served. */
interface AllowedMethods {
  /** Sorted; empty where nothing is served under the path. */
  of(path: string): string[];
}

/**
 * Notes the routes as they are registered, so it comes before them. Paths that end in `*` are left out: they are files,
 * and would know every path.
 */
export function watchAllowedMethods(app: FastifyInstance): AllowedMethods {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (url.endsWith('*') || isRefusal(schema?.response)) return;
    const known = methodsOf.get(url) ?? new Set();
    for (const each of [method].flat()) known.add(each.toUpperCase());
    methodsOf.set(url, known);
  });
  let patterns: { pattern: RegExp; methods: ReadonlySet<string> }[] | undefined;
  return {
    of(path) {
      patterns ??= [...methodsOf].map(([url, methods]) => ({ pattern: patternOf(url), methods }));
      const served = patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods]);
      return [...new Set(served)].toSorted();
    },
  };
}

/** Whether a route is there to say nothing but that its method is not served. */
function isRefusal(response: unknown): boolean {
  return typeof response === 'object' && response !== null && Object.keys(response).join() === '405';
}

/** A parameter is anything up to the next slash, as the router has it. */
function patternOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => (segment.startsWith(':') ? '[^/]+' : RegExp.escape(segment)));
  return new RegExp(`^${segments.join('/')}$`, 'u');
}
