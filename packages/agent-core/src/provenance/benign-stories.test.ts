import { expect, it } from 'vitest';
import { createDocumentAgentProfile } from '../document-agent/profile.ts';
import { decideCall } from '../permissions/decide-call.ts';
import type { LlmMessage } from '../llm/llm-client.ts';
import { drain } from '../testing/practice-turn.ts';
import { scriptedLlm, type ScriptedStep } from '../testing/scripted-llm.ts';
import { formatOf, createStockedOrganization } from '../testing/stocked-organization.ts';

type Organization = Awaited<ReturnType<typeof createStockedOrganization>>;

/** Typical documents. Their words are also typical names of schemas, prompts and tags. */
const documents: Record<string, string> = {
  'inv-2041.pdf': 'INVOICE INV-2041\nKestrel Freight Ltd\nTotal 119.00 EUR\nDue date 2026-12-01',
  'delivery.pdf': 'Delivery note 55812\nSender Brightwater Tools\nWeight kg 44.1\nInvoice follows',
  'contract.docx': 'Service agreement between Northgate and Brightwater. The fee is 1,200.00 a month.',
  'receipt.jpg': 'RECEIPT 0099\ntotal 18.09\nCARD VISA',
  'order.eml': 'From: sales@example.com\nSubject: Your order 4500-1187\n\nPlease find the invoice attached.',
  'rechnung.pdf': 'Rechnung RE-77\nGesamtbetrag 18,09 EUR\nZahlbar bis 1.12.2026',
  'statement.xlsx': '| Date | Text | Amount |\n| 2026-10-01 | Opening balance | 10.00 |',
  'form.pdf': 'Application form\nName: Ada Byron\nDate of birth: 1990-01-01',
  'reminder.pdf': 'Reminder\nOur invoice INV-2041 is overdue. Please update your records.',
  'manual.pdf': 'To remove the cover, delete the old label and run the pump. Obsolete parts are listed below.',
};

/** A user's request, and the calls of a sensible model. */
const stories: Record<
  string,
  { asks: string; does: (organization: Organization) => ScriptedStep[]; isWorking?: true; mentions?: true }
> = {
  'file it under a tag': {
    asks: 'Put the right tag on this document.',
    does: ({ tag }) => [call('list_tags'), call('update_document', { add_tag_ids: [tag.tag_id] })],
  },
  'name the file': {
    asks: 'Rename the file after its number.',
    does: () => [call('get_ocr_text'), call('update_document', { document_name: 'INV-2041.pdf' })],
  },
  'note its data': {
    asks: 'Keep number and total as metadata.',
    does: () => [call('update_document', { set_metadata: { number: 'INV-2041', total: '119.00' } })],
  },
  'set it up': {
    asks: 'Create a schema and a prompt for documents like this and extract.',
    does: () => [
      call('create_schema', { name: 'Invoice 2', response_format: formatOf('total') }),
      ({ messages }) =>
        call('create_prompt', {
          name: 'Invoice 2',
          content: 'Read the total.',
          schema_id: lastId(messages, 'schema_id'),
        }),
      call('run_extraction'),
    ],
  },
  'add a field': {
    asks: 'Also read the due date.',
    isWorking: true,
    does: ({ schema }) => [
      call('get_schema', { schema_revid: schema.schema_revid }),
      call('edit_schema', {
        schema_id: schema.schema_id,
        changes: [{ op: 'add', path: 'due_date', definition: { type: ['string', 'null'] } }],
        relink_prompts: true,
      }),
      call('run_extraction'),
    ],
  },
  'correct a value': {
    asks: 'The total is wrong, it is 18.09.',
    does: () => [call('get_extraction_result'), call('update_extraction_field', { path: 'total', value: '18.09' })],
  },
  'use a prompt': {
    asks: 'Extract with this prompt.',
    mentions: true,
    does: ({ prompt }) => [call('run_extraction', { prompt_revid: prompt.prompt_revid })],
  },
  'tag it by sender': {
    asks: 'Make a tag of the sender and put it on.',
    does: () => [
      call('create_tag', { name: 'Kestrel Freight' }),
      ({ messages }) => call('update_document', { add_tag_ids: [lastId(messages, 'tag_id')] }),
    ],
  },
  'tidy up': {
    asks: 'Delete the tag Obsolete, nothing uses it.',
    does: ({ obsolete }) => [call('list_tags'), call('delete_tag', { tag_id: obsolete.tag_id })],
  },
  'reword the prompt': {
    asks: 'Have it read the net total instead, and extract again.',
    isWorking: true,
    does: ({ prompt }) => [
      call('get_prompt', { prompt_revid: prompt.prompt_revid }),
      call('edit_prompt', { prompt_id: prompt.prompt_id, find: 'the total', replace: 'the net total' }),
      call('run_extraction'),
    ],
  },
};

/** Requests that leave the choice of an object to the model, in several languages. */
const leavingTheChoice: Record<string, (organization: Organization) => ScriptedStep[]> = {};
const does: Record<string, (organization: Organization) => ScriptedStep[]> = {
  tags: ({ tag }) => [call('list_tags'), call('update_document', { add_tag_ids: [tag.tag_id] })],
  extracts: ({ prompt }) => [call('list_prompts'), call('run_extraction', { prompt_revid: prompt.prompt_revid })],
  renames: ({ unused }) => [
    call('list_schemas'),
    call('update_schema', { schema_id: unused.schema_id, name: 'Archive' }),
  ],
  rewords: ({ prompt }) => [
    call('list_prompts'),
    call('edit_prompt', { prompt_id: prompt.prompt_id, find: 'the total', replace: 'the net total' }),
  ],
  removes: ({ obsolete }) => [call('list_tags'), call('delete_tag', { tag_id: obsolete.tag_id })],
  trashes: () => [call('delete_document')],
};
for (const [kind, asked] of Object.entries({
  tags: 'Classify it.|Label it|Gib ihm das passende Schlagwort.|Mets la bonne étiquette.|Ponle la etiqueta correcta.|Ordne die Kategorie zu|Organize this|为文档加上正确的标签|正しいタグを付けて|Поставь подходящий тег|알맞은 태그를 붙여 줘|ضع الوسم المناسب|Βάλε τη σωστή ετικέτα',
  extracts:
    'Extract it.|Bitte auslesen|Extrahiere die Daten.|Extrais les données.|Extrae los datos.|Estrai i dati.|Use the best prompt.|Process this document.|Read this letter.|Прочитай это|处理这个文档|Get the data out of this|Analyze this document|Verarbeite dieses Dokument|Traite ce document|Procesa este documento|set this up|Richte das ein|请提取数据|データを抽出して|Извлеки данные',
  renames:
    'Call the oldest schema Archive.|Rename the second schema|Nenne das älteste Schema Archive.|Renomme le schéma inutile.|Cambia el nombre del esquema.|Переименуй schema|このスキーマを変更して|修改这个模式',
  rewords:
    'The prompt should read the net total.|Passe den Prompt an.|Corrige le prompt.|Modifica il prompt.|Измени промпт',
  removes:
    'Delete the tags that nothing uses.|Clean up our labels.|Lösche die Schlagwörter, die niemand nutzt.|Supprime les étiquettes inutiles.|Borra las etiquetas que sobran.|Elimina le etichette inutili.',
  trashes: 'Throw it away.|Get rid of it|Wirf es weg.|Mets-le à la corbeille.|Bórralo.|Удали его|删除它|Verwijder het',
}))
  for (const asks of asked.split('|')) leavingTheChoice[asks] = does[kind]!;

const call = (name: string, args: Record<string, unknown> = {}): ScriptedStep => ({ calls: [{ name, args }] });

function lastId(messages: readonly { role: string; content: string }[], key: string): string {
  const results = messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content)[key] as string);
  return results.findLast((id) => id !== undefined)!;
}

/** Earlier turns that a request has no room for: what was listed in them, and much talk. */
async function longBefore({ services }: Organization): Promise<LlmMessage[]> {
  const named = await Promise.all([
    services.tags.list({ skip: 0, limit: 10 }),
    services.schemas.list({ skip: 0, limit: 10 }),
    services.prompts.list({ skip: 0, limit: 10 }),
  ]);
  const lists = ['list_tags', 'list_schemas', 'list_prompts'].flatMap((tool, at): LlmMessage[] => [
    { role: 'assistant', content: '', toolCalls: [{ id: tool, name: tool, arguments: '{}' }] },
    { role: 'tool', callId: tool, content: JSON.stringify(named[at]) },
  ]);
  const talk = Array.from({ length: 12 }, (): LlmMessage[] => [
    { role: 'user', content: 'Who sent it?' },
    { role: 'assistant', content: 'The sender is named at the top.' },
  ]);
  return [{ role: 'user', content: 'What have we got?' }, ...lists, ...talk.flat()];
}

async function runStory(
  name: string,
  text: string,
  story: (typeof stories)[string],
  before: typeof longBefore = async () => [],
): Promise<string[]> {
  const organization = await createStockedOrganization({ documentName: name, pages: [text] });
  const settings = { autoApprove: true, autoApprovedTools: [] };
  const { prompt, schema, services } = organization;
  const documentId = services.document.id;
  const { result } = await drain({
    profile: createDocumentAgentProfile({ maxRounds: 9, timeoutMs: 60_000 }),
    llm: scriptedLlm([...story.does(organization), { text: 'Done.' }]),
    services,
    decide: (request) =>
      decideCall([], request, { role: 'member', threadId: 't', documentId, ...settings }, () => false),
    recordCalls: async () => undefined,
    signal: new AbortController().signal,
    turn: {
      turnId: 'c'.repeat(24),
      threadId: 'd'.repeat(24),
      owner: { organizationId: 'a'.repeat(24), documentId, userId: 'b'.repeat(24) },
      settings: {
        ...settings,
        model: 'm',
        mentions: story.mentions ? [{ type: 'prompt', id: prompt.prompt_revid }] : [],
      },
      messages: [...(await before(organization)), { role: 'user', content: story.asks }],
      workingState: {
        schema_revid: story.isWorking ? schema.schema_revid : null,
        prompt_revid: story.isWorking ? prompt.prompt_revid : null,
        extraction: null,
      },
    },
  });
  const calls = result.executedRounds.flatMap(({ tool_calls }) => tool_calls);
  const failed = calls.filter(({ success }) => !success).map((each) => `${each.name}: ${each.error}`);
  return [...('pending' in result ? [`asked about ${result.pending.batch.calls.at(-1)!.name}`] : []), ...failed];
}

it.each([
  ['at the beginning of a conversation', undefined],
  ['after a conversation that is too long for a request', longBefore],
])(
  'at least 95 of 100 ordinary stories finish under automatic approval without a question %s',
  async (_, before) => {
    const failures: string[] = [];
    let runs = 0;
    for (const [name, text] of Object.entries(documents)) {
      for (const [title, story] of Object.entries(stories)) {
        runs += 1;
        const problems = await runStory(name, text, story, before);
        if (problems.length > 0) failures.push(`${name}, ${title}: ${problems.join('; ')}`);
      }
    }
    expect(runs).toBe(100);
    expect(failures.filter((failure) => !failure.includes('asked about'))).toEqual([]);
    expect(failures.length).toBeLessThanOrEqual(5);
  },
  60_000,
);

it.each(Object.entries(leavingTheChoice))('“%s” is done without a question', async (asks, steps) => {
  for (const name of ['contract.docx', 'receipt.jpg', 'statement.xlsx']) {
    const text = documents[name]!;
    expect(await runStory(name, text, { asks, does: steps })).toEqual([]);
  }
});
