/** The limits of turns for one user and one organization: per minute, and running at once, over all processes. */
export interface TurnLimits {
  /** Messages and decisions. */
  readonly turnsPerMinute: PerParty;
  readonly runningTurns: PerParty;
}

export interface PerParty {
  readonly user: number;
  readonly organization: number;
}

/** Enough for scripts; a model endpoint serves far fewer requests at the same time. */
export const defaultTurnLimits: TurnLimits = {
  turnsPerMinute: { user: 60, organization: 600 },
  runningTurns: { user: 20, organization: 100 },
};
