import { estimatedTokens, usageOf } from '@docwright/agent-core';
import type { Document } from '@docwright/contract';
import type { PageRepository } from '../documents/index.ts';
import { maxShownCharacters } from './certainty/ask-described.ts';
import { isUncertain } from './certainty/evidence.ts';
import type { GatherEvidence, RoutingCaller } from './certainty/gather-evidence.ts';
import {
  comparePatterns,
  judgeRoutes,
  uncertainRoutes,
  type JudgedRoute,
  type Judgement,
  type RoutedFacts,
} from './judgement.ts';

interface DocumentToJudge {
  document: RoutedFacts['document'] & Pick<Document, 'id'>;
  sourceId?: string | undefined;
}

/**
 * Judges a document by routes, asking a model at most once. With `mayAsk: false` it asks none: `unasked` then has what the
 * request would cost.
 */
export type Judge = <Judged extends JudgedRoute & { id?: string }>(
  caller: RoutingCaller,
  routes: readonly Judged[],
  facts: DocumentToJudge,
  mayAsk?: boolean,
) => Promise<Judgement<Judged> & { unasked?: { spu_estimated: number } }>;

interface JudgeDependencies {
  pagesOf: (organizationId: string) => Pick<PageRepository, 'texts'>;
  gatherEvidence: GatherEvidence;
  /** Those of the tags that keep documents from models. */
  keepingTags: (organizationId: string, tagIds: readonly string[]) => Promise<string[]>;
}

/** Tokens of a request beside its descriptions and the text, and of its answer. */
const tokensAround = 160;
const tokensOfAnswer = 12;

export function createJudge({ pagesOf, gatherEvidence, keepingTags }: JudgeDependencies): Judge {
  return async (caller, routes, { document, sourceId }, mayAsk = true) => {
    const needsText = routes.some((route) => route.when.text_contains !== undefined || isUncertain(route));
    const pages = needsText ? await pagesOf(caller.organizationId).texts(document.id) : [];
    const facts = { document, sourceId, text: pages.map(({ text }) => text).join('\n') };
    await comparePatterns(routes, document);
    const uncertain = uncertainRoutes(routes, facts);
    const gather = (asks: boolean) =>
      gatherEvidence(caller, { id: document.id, name: document.document_name, pages }, uncertain, asks);
    const { evidence, described } = await gather(false);
    const byRules = judgeRoutes(routes, facts, evidence);
    // What a rule, or a kind of documents, keeps from models is not shown to one to find out whether another route fits.
    if (described.length === 0 || byRules.then.never_to_model === true) return byRules;
    if ((await keepingTags(caller.organizationId, byRules.then.tag_ids ?? [])).length > 0) return byRules;
    if (mayAsk) return judgeRoutes(routes, facts, (await gather(true)).evidence);
    const characters = described.reduce((sum, { when }) => sum + (when.described_as?.length ?? 0), 0);
    const shown = Math.min(facts.text.length, maxShownCharacters);
    const prompt_tokens = estimatedTokens(characters + shown) + tokensAround;
    const { spu } = usageOf({ prompt_tokens, completion_tokens: tokensOfAnswer, estimated: true });
    return { ...byRules, unasked: { spu_estimated: spu } };
  };
}
