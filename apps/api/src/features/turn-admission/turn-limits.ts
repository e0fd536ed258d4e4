/**
 * How much of the chat one person, and all of one organization, may use: within a minute in all processes together, at
 * the same time in each process of the server.
 */
export interface TurnLimits {
  /** Messages and decisions. */
  readonly turnsPerMinute: PerParty;
  readonly runningTurns: PerParty;
}

export interface PerParty {
  readonly person: number;
  readonly organization: number;
}

/** Enough for somebody who scripts; what one model endpoint serves at the same time is far less. */
export const defaultTurnLimits: TurnLimits = {
  turnsPerMinute: { person: 60, organization: 600 },
  runningTurns: { person: 20, organization: 100 },
};
