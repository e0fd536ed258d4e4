import type { CallAnswers, Preview, ToolEffect, WorkingState } from '@docwright/contract';
import type { z } from 'zod';
import type { CallQuestion } from '../permissions/permission.ts';
import type { ArgumentRole } from './argument-role.ts';
import type { Baseline } from './baseline.ts';

/** The turn's working state, shared by the tools of a turn in the order they run. */
export interface WorkingStateAccess {
  get(): WorkingState;
  update(change: Partial<WorkingState>): void;
}

/** Which call of which turn a write comes from. */
export interface WriteOrigin {
  /** The write's idempotency key down to the database: the same again answers as the first time and writes nothing. */
  readonly call_id: string;
  /** The turn that can be undone; a write outside of a turn has none. */
  readonly turn_id?: string;
  /** The thread of that turn, which what a model does for the call is charged to. */
  readonly thread_id?: string;
}

export interface ToolContext<Services> {
  readonly services: Services;
  readonly workingState: WorkingStateAccess;
  /** Of this call, whose id is ours and unique for good; every write is given it. */
  readonly origin: WriteOrigin;
  readonly signal: AbortSignal;
  /** What the person answered; given to tools that `awaitsAnswers`. */
  readonly answers?: CallAnswers['answers'];
  /** A person approved this very call, or a rule that looks at its guarded argument allows it. */
  readonly isApproved?: true;
}

/** What a guarded call would replace. */
type GuardReason = NonNullable<CallQuestion['guardReason']>;

/**
 * When a call would replace what a person made right. It is then asked about whatever allows the tool, unless a rule
 * allows it whose condition looks at `argument`.
 */
interface CallGuard<Services, Args> {
  readonly argument: string;
  /** The error code of what would be lost, such as `result_verified`; undefined where nothing would. */
  readonly reason: (context: ToolContext<Services>, args: Args) => Promise<GuardReason | undefined>;
}

/** How a tool is written: `args` has the type of `parameters`. */
interface ToolDefinition<Services, Parameters extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly effect: ToolEffect;
  /** It works on the turn's document: whoever calls it outside of a conversation has to name one. */
  readonly worksOnDocument?: true;
  /** One schema for the model, the check, the docs and the form. */
  readonly parameters: Parameters;
  /** Of a write: which arguments choose what it works on, and which merely give content. Every write has them. */
  readonly argumentRoles?: { readonly [Name in keyof z.output<Parameters>]-?: ArgumentRole };
  /** A person's approval of it grants the calls that its `steps` name. */
  readonly proposesPlan?: true;
  /** Keys of the tool's results, at any depth, under which content of documents stands. */
  readonly documentContent?: readonly string[];
  /** The turn waits for the person's answers before the tool runs; approval is never asked. */
  readonly awaitsAnswers?: true;
  /** Holds answers against what was asked, before the turn goes on: throws a DomainError of kind `unprocessable`. */
  readonly checkAnswers?: (args: z.output<Parameters>, answers: CallAnswers['answers']) => void;
  /** It reads and takes long: calls of such tools that follow each other in an answer are begun together. */
  readonly runsSideBySide?: true;
  /** Completes the checked arguments before anybody sees the call (fills in missing ids). */
  readonly complete?: (args: z.output<Parameters>) => z.input<Parameters>;
  /** What arguments that were left out stand for, so that permission rules see the call as it will run. */
  readonly implied?: (services: Services) => Record<string, unknown>;
  /** The call in words, for a person. Without it the name and the arguments are shown. */
  readonly summarize?: (args: z.output<Parameters>, services: Services) => string;
  /**
   * Holds a write against the rules before anybody is asked about it: a DomainError refuses the call, and the model is
   * told what it says.
   */
  readonly check?: (context: ToolContext<Services>, args: z.output<Parameters>) => Promise<void>;
  /** What would change, computed when the call is proposed. A DomainError here means: no preview. */
  readonly preview?: (context: ToolContext<Services>, args: z.output<Parameters>) => Promise<Preview | undefined>;
  /**
   * What a write changes or builds on, as it stands now: looked at when the call is proposed and again before it runs.
   * A DomainError says that it is not there.
   */
  readonly baseline?: (context: ToolContext<Services>, args: z.output<Parameters>) => Promise<Baseline>;
  readonly guard?: CallGuard<Services, z.output<Parameters>>;
  /** A DomainError goes back to the model as the call's error; anything else ends the turn. */
  readonly execute: (context: ToolContext<Services>, args: z.output<Parameters>) => Promise<unknown>;
}

/** A tool as the loop sees it: `args` are what `parameters` parsed. */
export type Tool<Services> = ToolDefinition<Services, z.ZodObject>;

/**
 * Forgets the argument type, which only the tool's own file needs; the executor parses with `parameters` first. An
 * argument that `parameters` does not name is refused, whatever the schema says of others: ignored, it would seem done.
 */
export function defineTool<Services, Parameters extends z.ZodObject>(
  definition: ToolDefinition<Services, Parameters>,
): Tool<Services> {
  const strict = { ...definition, parameters: definition.parameters.strict() };
  return strict as unknown as Tool<Services>;
}
