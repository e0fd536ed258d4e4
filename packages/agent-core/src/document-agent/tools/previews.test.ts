import { describe, expect, it } from 'vitest';
import { createToolBench } from '../../testing/tool-bench.ts';
import { differencePreview } from './shared/changes.ts';
import { schemaOutline } from './schemas/update-schema.ts';

const responseFormat = (schema: Record<string, unknown>) => ({
  type: 'json_schema' as const,
  json_schema: { name: 'invoice', strict: true as const, schema: { type: 'object', ...schema } },
});

describe('a schema as text', () => {
  it('has a line for each field, with all its keywords', () => {
    const item = {
      type: 'object',
      properties: { amount: { type: ['number', 'null'], minimum: 0 } },
      required: ['amount'],
      additionalProperties: false,
    };
    const outline = schemaOutline(
      responseFormat({
        properties: {
          total: { type: 'string', description: 'With\n tax' },
          kind: { type: 'string', enum: ['a', 'b'] },
          lines: { type: 'array', items: item, minItems: 1 },
        },
      }),
    );
    expect(outline.split('\n')).toEqual([
      'Format: invoice',
      '- total: string — With tax',
      '- kind: string {"enum":["a","b"]}',
      '- lines: list of object {"minItems":1}',
      '  - amount: number or null {"minimum":0}',
    ]);
  });
});

describe('a preview', () => {
  it('of a long text shows the changed lines, and counts the omitted ones', () => {
    const lines = Array.from({ length: 3000 }, (_, at) => `line ${at}`);
    const before = lines.join('\n');
    const after = lines.with(1500, 'changed').join('\n');
    const preview = differencePreview('Prompt', before, after);
    expect(preview).toEqual({
      kind: 'difference',
      title: 'Prompt',
      before: expect.stringMatching(
        /^\[1497 equal lines before\]\nline 1497\n.*line 1500\n.*\[1496 equal lines after\]$/su,
      ),
      after: expect.stringContaining('line 1499\nchanged\nline 1501'),
    });
  });

  it('of one endless line is cut', () => {
    const preview = differencePreview('Prompt', 'short', 'x'.repeat(100_000));
    expect(JSON.stringify(preview).length).toBeLessThan(13_000);
    expect(JSON.stringify(preview)).toContain('cut: 88000 more characters');
  });

  it('of a delete counts all dependents and names the first', async () => {
    const bench = createToolBench();
    const { tag_id } = (await bench.run('create_tag', { name: 'invoice' })) as { tag_id: string };
    for (let at = 0; at < 60; at += 1) {
      await bench.run('create_prompt', { name: `Prompt ${at}`, content: 'x', tag_ids: [tag_id] });
    }
    const preview = await bench.preview('delete_tag', { tag_id });
    expect(preview).toMatchObject({ dependent_count: 60, dependents: { length: 25 } });
  });

  it('of a deleted document names extractions and the user’s conversations', async () => {
    const bench = createToolBench();
    bench.services.store.threads.push({ id: 't', title: 'First questions' });
    expect(await bench.preview('delete_document', {})).toMatchObject({
      dependents: [{ kind: 'thread', name: 'First questions' }],
      dependent_count: 1,
    });
  });

  it('of a field has its place, and shortens long values', async () => {
    const bench = createToolBench();
    await bench.run('create_prompt', { name: 'Header', content: 'x' });
    await bench.run('run_extraction');
    const box = { page_num: 1, x0: 0.1, y0: 0.2, x1: 0.3, y1: 0.4 };
    bench.services.store.extractions[0]!.grounding['total']!.boxes = [box];
    expect(await bench.preview('update_extraction_field', { path: 'total', value: 'y'.repeat(5000) })).toMatchObject({
      old_value: '1,250.00',
      new_value: expect.stringContaining('[cut: 3000 more characters]'),
      boxes: [box],
    });
  });
});
