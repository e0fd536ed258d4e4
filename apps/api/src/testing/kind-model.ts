import type { LlmClient, LlmRequest } from '@docwright/agent-core';
import { scriptedLlm, type ScriptedStep } from '@docwright/agent-core/testing';
import { objectSchema } from './pending-records.ts';

const field = /^(\p{L}[\p{L} '-]{2,40}?)(?: \d+%)?: *(\S.*)$/gmu;

/**
 * A model that follows the first message: it uses the first prompt it is shown, or makes a schema from the labels on
 * the page. `nameOf` names a text's kind.
 */
export function kindModel(nameOf: (text: string) => string): LlmClient & { requests: LlmRequest[] } {
  const requests: LlmRequest[] = [];
  return {
    requests,
    async *stream(request) {
      requests.push(request);
      yield* scriptedLlm([stepOf(request, nameOf)]).stream(request);
    },
  };
}

function stepOf({ messages, tools = [] }: LlmRequest, nameOf: (text: string) => string): ScriptedStep {
  const texts = messages.flatMap(({ role, content }) =>
    role !== 'tool' && typeof content === 'string' ? [content] : [],
  );
  const page = /<page number="1">\n([\s\S]*?)\n<\/page>/u.exec(texts.join('\n'))?.[1] ?? '';
  const labels = new Map([...page.matchAll(field)].map(([, label = '', value = '']) => [keyOf(label), value]));
  if (tools.length === 0) return { text: JSON.stringify(Object.fromEntries(labels)) };
  const results = messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
  const last: Record<string, string> = JSON.parse(results.at(-1) ?? '{}');
  const call = (name: string, args: Record<string, unknown>) => ({ calls: [{ name, args }] });
  const [, shown] = /<kinds>\n(\{.*\})\n/u.exec(texts.join('\n')) ?? [];
  if (shown !== undefined) {
    const { prompt_revid }: { prompt_revid: string } = JSON.parse(shown);
    return results.length === 0 ? call('run_extraction', { prompt_revid }) : { text: 'I used the existing prompt.' };
  }
  const name = nameOf(page);
  const properties = Object.fromEntries([...labels.keys()].map((key) => [key, { type: ['string', 'null'] }]));
  const content = 'Take the values.';
  switch (results.length) {
    case 0:
      return call('create_schema', { name, response_format: objectSchema(properties) });
    case 1:
      return call('create_prompt', { name, content, schema_id: last['schema_id'] });
    case 2:
      return call('run_extraction', { prompt_revid: last['prompt_revid'] });
    default:
      return { text: `I made ${name}.` };
  }
}

const keyOf = (label: string) =>
  label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z]+/gu, '_');
