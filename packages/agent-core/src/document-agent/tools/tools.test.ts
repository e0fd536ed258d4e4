import { describe, expect, it } from 'vitest';
import { documentAgentTools } from './index.ts';

describe('the registry', () => {
  it('has the tools of the contract with their effects', () => {
    const names = (effect: string) =>
      documentAgentTools.tools
        .filter((tool) => tool.effect === effect)
        .map(({ name }) => name)
        .toSorted();
    expect(names('read_only')).toEqual(
      [
        'ask_questions evaluate_change get_extraction_result get_ocr_text get_prompt get_schema get_tag help_prompts help_schemas',
        'list_documents list_llm_models list_prompts list_schemas list_tags propose_split search_document validate_against_schema validate_schema view_page',
      ]
        .join(' ')
        .split(' '),
    );
    expect(names('read_write')).toEqual(
      [
        'create_prompt create_schema create_tag delete_document delete_prompt delete_schema delete_tag edit_prompt edit_schema',
        'propose_plan run_extraction split_document',
        'update_document update_extraction_field update_prompt update_schema update_tag',
      ]
        .join(' ')
        .split(' '),
    );
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
