import { describe, expect, it } from 'vitest';
import { documentAgentTools } from './index.ts';

describe('the registry', () => {
  it('tells for each write what it changes', () => {
    for (const { name, effect, target, parameters } of documentAgentTools.tools) {
      if (effect === 'read') expect([name, target]).toEqual([name, undefined]);
      else expect(['new', 'subject', ...Object.keys(parameters.shape)], name).toContain(target);
    }
  });

  it('has a description for every tool and parameter', () => {
    for (const { function: definition } of documentAgentTools.definitions) {
      const { type, properties } = definition.parameters as { type: string; properties: Record<string, object> };
      expect(definition.description.length).toBeGreaterThan(15);
      expect(type).toBe('object');
      if (definition.name === 'ask_questions') continue;
      for (const property of Object.values(properties)) expect(property).toHaveProperty('description');
    }
  });

  it('has a summary for every tool', () => {
    expect(documentAgentTools.tools.filter((tool) => !tool.summarize)).toEqual([]);
  });
});
