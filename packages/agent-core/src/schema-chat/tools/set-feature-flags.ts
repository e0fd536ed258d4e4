import { DomainError, featureFlags, setFeatureFlagsArguments } from '@docwright/contract';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { SchemaChatServices } from '../services.ts';

export const setFeatureFlags = defineTool({
  name: 'set_feature_flags',
  description:
    'Sets feature flags of the project by name; those that are not named stay. Waits for the person’s approval. Use only flags that get_feature_flags shows or the person names.',
  effect: 'read_write',
  parameters: setFeatureFlagsArguments,
  summarize: ({ flags }) =>
    `Set ${Object.entries(flags)
      .map(([name, value]) => `${name} to ${value}`)
      .join(', ')}`,
  execute: async ({ services: { project } }: ToolContext<SchemaChatServices>, { flags }) => {
    const merged = featureFlags.safeParse({ ...project.featureFlags, ...flags });
    if (!merged.success) {
      throw new DomainError('invalid', 'invalid_flags', merged.error.issues[0]?.message ?? 'These flags do not fit.');
    }
    project.featureFlags = merged.data;
    return { featureFlags: merged.data };
  },
});
