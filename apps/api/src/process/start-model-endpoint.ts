import type { Settings } from '../platform/settings/settings.ts';

export interface StartedModelEndpoint {
  baseUrl: string;
  apiKey: string | undefined;
  model: string;
  close(): Promise<void>;
}

/** The operator's endpoint, else the demo model in this process. */
export async function startModelEndpoint({ baseUrl, apiKey, model }: Settings['llm']): Promise<StartedModelEndpoint> {
  if (baseUrl !== undefined && model !== undefined) return { baseUrl, apiKey, model, close: async () => undefined };
  const { startDemoModel } = await import('@docwright/demo-model');
  const demo = await startDemoModel();
  return { baseUrl: demo.baseUrl, apiKey: undefined, model: demo.model, close: () => demo.close() };
}
