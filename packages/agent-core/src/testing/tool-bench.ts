import type { CallAnswers, Preview, WorkingState } from '@docwright/contract';
import { documentAgentTools } from '../document-agent/tools/index.ts';
import { guardedPermissionRequest } from '../loop/call-tool.ts';
import { prepareCall } from '../loop/prepare-call.ts';
import type { Baseline } from '../tool/baseline.ts';
import type { ToolContext } from '../tool/tool.ts';
import type { DocumentAgentServices } from '../document-agent/context/services.ts';
import { createInMemoryDocumentServices, type InMemoryDocumentServices } from './in-memory-document-services.ts';

/** Runs the document agent's tools over in-memory services. Like the loop, it parses the arguments first. */
interface ToolBench {
  readonly services: InMemoryDocumentServices;
  state: WorkingState;
  run(name: string, args?: unknown, options?: RunOptions): Promise<unknown>;
  preview(name: string, args?: unknown): Promise<Preview | undefined>;
  baseline(name: string, args?: unknown): Promise<Baseline>;
  /** The argument that a rule must name to allow the call; undefined if the call is not guarded. */
  readonly needsRuleOn: (name: string, args: unknown) => Promise<string | undefined>;
}

interface RunOptions {
  callId?: string;
  answers?: CallAnswers['answers'];
  isApproved?: true;
}

export function createToolBench(services = createInMemoryDocumentServices()): ToolBench {
  let calls = 0;
  const toolCalled = (name: string) => {
    const tool = documentAgentTools.get(name);
    if (!tool) throw new Error(`No tool is called ${name}.`);
    return tool;
  };
  const bench: ToolBench = {
    services,
    state: { schema_revid: null, prompt_revid: null, extraction: null },
    run: async (name, args = {}, { callId, ...given } = {}) => {
      const tool = toolCalled(name);
      return tool.execute(context(callId ?? `call-${(calls += 1)}`, given), tool.parameters.parse(args));
    },
    preview: async (name, args = {}) => {
      const tool = toolCalled(name);
      return tool.preview?.(context('preview'), tool.parameters.parse(args));
    },
    baseline: async (name, args = {}) => {
      const tool = toolCalled(name);
      return (await tool.baseline?.(context('baseline'), tool.parameters.parse(args))) ?? [];
    },
    needsRuleOn: async (name, args) => {
      const call = prepareCall(documentAgentTools, name, JSON.stringify(args));
      if (call.refusal !== undefined) throw new Error(JSON.stringify(call.refusal));
      return (await guardedPermissionRequest(call, context('guard'))).needsRuleOn;
    },
  };
  function context(callId: string, given: Omit<RunOptions, 'callId'> = {}): ToolContext<DocumentAgentServices> {
    return {
      services,
      origin: { call_id: callId },
      signal: new AbortController().signal,
      workingState: {
        get: () => bench.state,
        update: (change) => {
          bench.state = { ...bench.state, ...change };
        },
      },
      ...given,
    };
  }
  return bench;
}
