import type { FastifyInstance } from 'fastify';
import type { Job } from './jobs/job-runner.ts';

/** A part of the product: what it needs, what it offers to later features, and the routes and jobs it brings. */
export interface Feature<Needs, Offers> {
  create(needs: Needs): Offers;
  routes?: (app: FastifyInstance, services: Needs & Offers) => Promise<unknown>;
  jobs?: (services: Needs & Offers) => Job[];
  /** Starts background work, in a process that runs jobs. */
  start?: (services: Needs & Offers) => void;
  /** Stops running work, so that it is stored before the database closes. */
  stop?: (services: Needs & Offers) => Promise<void>;
}

/** Infers a feature's types from its own definition. */
export function defineFeature<Needs, Offers extends object>(feature: Feature<Needs, Offers>): Feature<Needs, Offers> {
  return feature;
}

/** Features in the order of construction: a feature can only need earlier ones, or it does not compile. */
interface Composition<Base extends object, Offered extends Base> {
  with<Offers extends object>(feature: Feature<Offered, Offers>): Composition<Base, Offered & Offers>;
  create(base: Base): Offered;
  /** Registers the routes in the same order, and the features' `stop` hooks. */
  register(app: FastifyInstance, services: Offered): Promise<void>;
  jobs(services: Offered): Job[];
  start(services: Offered): void;
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
      let services: object = base;
      for (const feature of features) services = { ...services, ...feature.create(services as never) };
      return services as Offered;
    },
    async register(app, services) {
      for (const { routes, stop } of features) {
        await routes?.(app, services as never);
        if (stop !== undefined) app.addHook('preClose', () => stop(services as never));
      }
    },
    jobs: (services) => features.flatMap(({ jobs }) => jobs?.(services as never) ?? []),
    start(services) {
      for (const { start } of features) start?.(services as never);
    },
  };
}
