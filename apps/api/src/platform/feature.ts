import type { FastifyInstance } from 'fastify';
import type { Job } from './jobs/job-runner.ts';

/** A part of the product: what it needs, what it offers to later features, and the routes and jobs it brings. */
export interface Feature<Needs, Offers> {
  create(needs: Needs): Offers;
  routes?: (app: FastifyInstance, area: Needs & Offers) => Promise<unknown>;
  jobs?: (area: Needs & Offers) => Job[];
  /** Starts work without a caller, in a process that runs jobs. */
  start?: (area: Needs & Offers) => void;
  /** Stops what runs, so that it is stored before the database goes. */
  stop?: (area: Needs & Offers) => Promise<void>;
}

/**
 * Names a feature's types once, from its own text.
 * @example
 * const greetings = defineFeature({
 *   create: ({ name }: { name: string }) => ({ greet: () => `Hello ${name}` }),
 *   routes: async (app, { greet }) => app.get('/greeting', async () => greet()),
 * });
 */
export function defineFeature<Needs, Offers extends object>(feature: Feature<Needs, Offers>): Feature<Needs, Offers> {
  return feature;
}

/** Features in the order of their construction: each needs only what stands before it, or it does not compile. */
interface Composition<Base extends object, Offered extends Base> {
  with<Offers extends object>(feature: Feature<Offered, Offers>): Composition<Base, Offered & Offers>;
  create(base: Base): Offered;
  /** Registers the routes in the same order, and what stops with the application. */
  register(app: FastifyInstance, area: Offered): Promise<void>;
  jobs(area: Offered): Job[];
  start(area: Offered): void;
}

export function compose<Base extends object>(): Composition<Base, Base> {
  return composed([]);
}

/** A feature whose types `with` has checked. */
type Checked = Feature<never, object>;

function composed<Base extends object, Offered extends Base>(features: readonly Checked[]): Composition<Base, Offered> {
  return {
    with: (feature) => composed([...features, feature as unknown as Checked]),
    create(base) {
      let area: object = base;
      for (const feature of features) area = { ...area, ...feature.create(area as never) };
      return area as Offered;
    },
    async register(app, area) {
      for (const { routes, stop } of features) {
        await routes?.(app, area as never);
        if (stop !== undefined) app.addHook('preClose', () => stop(area as never));
      }
    },
    jobs: (area) => features.flatMap(({ jobs }) => jobs?.(area as never) ?? []),
    start(area) {
      for (const { start } of features) start?.(area as never);
    },
  };
}
