import type { CallAnswers, Preview, ToolEffect, WorkingState } from '@docwright/contract';
import type { z } from 'zod';

/** The turn's working state, shared by the tools of a turn in the order they run. */
export interface WorkingStateAccess {
  get(): WorkingState;
  update(change: Partial<WorkingState>): void;
}

export interface ToolContext<Services> {
  readonly services: Services;
  readonly workingState: WorkingStateAccess;
  /** Ours, unique for good: a write's idempotency key. */
  readonly callId: string;
  readonly signal: AbortSignal;
  /** What the person answered; given to tools that `awaitsAnswers`. */
  readonly answers?: CallAnswers['answers'];
}

/** How a tool is written: `args` has the type of `parameters`. */
export interface ToolDefinition<Services, Parameters extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly effect: ToolEffect;
  /** One schema for the model, the check, the docs and the form. */
  readonly parameters: Parameters;
  /** The turn waits for the person's answers before the tool runs; approval is never asked. */
  readonly awaitsAnswers?: true;
  /** Completes the checked arguments before anybody sees the call (fills in missing ids). */
  readonly complete?: (args: z.output<Parameters>) => z.input<Parameters>;
  /** The call in words, for a person. Without it the name and the arguments are shown. */
  readonly summarize?: (args: z.output<Parameters>) => string;
  /** What would change, computed when the call is proposed. A DomainError here means: no preview. */
  readonly preview?: (context: ToolContext<Services>, args: z.output<Parameters>) => Promise<Preview | undefined>;
  /** A DomainError goes back to the model as the call's error; anything else ends the turn. */
  readonly execute: (context: ToolContext<Services>, args: z.output<Parameters>) => Promise<unknown>;
}

/** A tool as the loop sees it: `args` are what `parameters` parsed. */
export type Tool<Services> = ToolDefinition<Services, z.ZodObject>;

/** Forgets the argument type, which only the tool's own file needs; the executor parses with `parameters` first. */
export function defineTool<Services, Parameters extends z.ZodObject>(
  definition: ToolDefinition<Services, Parameters>,
): Tool<Services> {
  return definition;
}
