import type { Route } from '@docwright/contract';

/** What a decision that is not by rules alone is measured by. */
export type EvidenceKind = 'like' | 'described';

/** That an uncertain route fits a document, and how sure that is. A route without evidence does not fit. */
export interface RouteEvidence {
  kind: EvidenceKind;
  why: string;
  /** How well it fits by the product's own measure, from 0 to 1. */
  score: number;
  /** The score calibrated on decisions of users; undefined before there are enough of them. */
  confidence?: number | undefined;
  /** Its place among the candidates: the likeliest first. */
  isChosen: boolean;
}

/** A document without `like` and `described_as` is judged by rules alone. */
export const isUncertain = ({ when }: Pick<Route, 'when'>): boolean =>
  when.like !== undefined || when.described_as !== undefined;
