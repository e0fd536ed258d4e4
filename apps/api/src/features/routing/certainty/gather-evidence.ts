import type { LlmClient } from '@docwright/agent-core';
import { DomainError, type Route } from '@docwright/contract';
import { fitOf, likeness, minFit, type KindWords } from '../../auto-create/index.ts';
import type { StoredPageText } from '../../documents/index.ts';
import { askDescribed, type DescribedChoice } from './ask-described.ts';
import { calibrate, marginScore, scoreOf } from './calibration.ts';
import type { RouteEvidence } from './evidence.ts';
import { wordsOf, type LearnedWords } from './learned-words.ts';
import type { ReadSettledDecisions } from './settled-decision-repository.ts';

type JudgedRoute = Pick<Route, 'name' | 'when'> & { id?: string };

interface EvidenceDependencies {
  learnedWords: LearnedWords;
  settled: ReadSettledDecisions;
  /** The name of a prompt with its last verified documents; undefined if there is no such prompt. */
  verifiedKind: (
    organizationId: string,
    promptId: string,
  ) => Promise<{ name: string; documentIds: string[] } | undefined>;
  /** The organization's default model. Throws `never_to_model` where it may not see the document. */
  modelFor: (caller: RoutingCaller, documentId: string) => Promise<{ llm: LlmClient; model: string }>;
}

/** In whose name a model is asked: documents that arrive belong to the organization, not to a person who may leave. */
export interface RoutingCaller {
  organizationId: string;
  userId?: string;
}

interface GatheredEvidence<Judged> {
  evidence: ReadonlyMap<Judged, RouteEvidence>;
  /** The routes that a model was asked about, or would be. */
  described: readonly Judged[];
}

/** What speaks for routes with `like` and `described_as`. */
export interface GatherEvidence {
  /**
   * `routes` are those that all rules take. `mayAsk: false` leaves the model out, and with it all routes with `described_as`.
   */
  <Judged extends JudgedRoute>(
    caller: RoutingCaller,
    document: { id: string; name: string; pages: readonly StoredPageText[] },
    routes: readonly Judged[],
    mayAsk: boolean,
  ): Promise<GatheredEvidence<Judged>>;
}

export function createGatherEvidence(dependencies: EvidenceDependencies): GatherEvidence {
  const { learnedWords, settled, verifiedKind, modelFor } = dependencies;

  return async (caller, document, routes, mayAsk) => {
    const { organizationId } = caller;
    const evidence = new Map<(typeof routes)[number], RouteEvidence>();
    if (routes.length === 0) return { evidence, described: [] };
    const words = wordsOf(document.pages);
    const decisions = await settled(organizationId);

    const kinds = new Map<string, { name: string; words: KindWords } | undefined>();
    for (const promptId of new Set(routes.flatMap(({ when }) => when.like?.prompt_id ?? []))) {
      const kind = await verifiedKind(organizationId, promptId);
      const others = kind?.documentIds.filter((id) => id !== document.id) ?? [];
      kinds.set(promptId, kind && { name: kind.name, words: await learnedWords.of(organizationId, others) });
    }
    const fits = new Map<(typeof routes)[number], number>();
    for (const route of routes) {
      const kind = route.when.like && kinds.get(route.when.like.prompt_id);
      // A name alone, without verified documents, says nothing about their words.
      if (kind && kind.words.documents > 0) fits.set(route, fitOf(words, { ...kind, fields: [] }));
    }
    const bestFit = Math.max(0, ...fits.values());
    const sureOfFit = calibrate(decisions.of('like'));
    const ofLike = new Map<(typeof routes)[number], RouteEvidence>();
    for (const [route, fit] of fits) {
      if (fit < minFit) continue;
      const others = [...fits].flatMap(([other, value]) => (samePrompt(route, other) ? [] : [value]));
      const score = scoreOf([fit, marginScore(fit, others)]);
      ofLike.set(route, {
        kind: 'like',
        why: `it has the words of the verified documents of “${kinds.get(route.when.like!.prompt_id)!.name}”`,
        score,
        confidence: sureOfFit(score),
        isChosen: fit === bestFit,
      });
    }
    for (const [route, found] of ofLike) if (route.when.described_as === undefined) evidence.set(route, found);

    const described = routes.filter(
      (route) => route.when.described_as !== undefined && (route.when.like === undefined || ofLike.has(route)),
    );
    if (described.length === 0 || !mayAsk) return { evidence, described };
    const answer = await ask(caller, document, described);
    if ('failure' in answer) {
      // Without an answer a user decides.
      const why = `no model could judge “${described.length === 1 ? described[0]!.name : 'its description'}”: ${answer.failure}`;
      for (const route of described) evidence.set(route, { kind: 'described', why, score: 0, isChosen: false });
      return { evidence, described };
    }
    const chosen = answer.index === undefined ? undefined : described[answer.index];
    if (chosen === undefined) return { evidence, described };
    const likenesses = new Map<(typeof routes)[number], number>();
    for (const route of described) {
      const ids = route.id === undefined ? [] : decisions.documentsOf(route.id).filter((id) => id !== document.id);
      const known = await learnedWords.of(organizationId, ids);
      if (known.documents > 0) likenesses.set(route, likeness(words, known));
    }
    const own = likenesses.get(chosen);
    const others = [...likenesses].flatMap(([route, value]) => (route === chosen ? [] : [value]));
    const measured = [answer.probability, own === undefined ? undefined : marginScore(own, others)];
    const known = measured.filter((value) => value !== undefined);
    const score = known.length === 0 ? 0.5 : scoreOf(known);
    const like = ofLike.get(chosen);
    const confidence = calibrate(decisions.of('described'))(score);
    evidence.set(chosen, {
      kind: 'described',
      why: `a model says that it is “${chosen.when.described_as}”${like ? `, and ${like.why}` : ''}`,
      score,
      ...(confidence !== undefined && { confidence: like ? Math.min(confidence, like.confidence ?? 0) : confidence }),
      isChosen: true,
    });
    return { evidence, described };
  };

  async function ask(
    caller: RoutingCaller,
    document: { id: string; name: string; pages: readonly StoredPageText[] },
    routes: readonly JudgedRoute[],
  ): Promise<DescribedChoice | { failure: string }> {
    try {
      return await askDescribed(await modelFor(caller, document.id), document, routes);
    } catch (error) {
      if (error instanceof DomainError) return { failure: error.message };
      // An answer that is not what was asked for.
      if (error instanceof SyntaxError) return { failure: 'Its answer named no route.' };
      throw error;
    }
  }
}

const samePrompt = (one: JudgedRoute, other: JudgedRoute) => one.when.like?.prompt_id === other.when.like?.prompt_id;
