import {
  patchDocumentBody,
  updatePromptBody,
  updateSchemaBody,
  updateTagBody,
  type AuditEntry,
  type AuditUndoAnswer,
} from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { format, startUndoTestBench, uniqueName, type UndoTestBench } from '../../../testing/undo-test-bench.ts';

let bench: UndoTestBench;
beforeAll(async () => {
  bench = await startUndoTestBench();
});
afterAll(async () => bench.stop());

interface Editable {
  create: () => Promise<string>;
  method: 'PUT' | 'PATCH';
  keys: string[];
  /** A change by this field. What is not here is changed by no body of its own, or stays by decision. */
  values: () => Promise<Record<string, unknown>>;
  /** Not undone: a condition of the change, or a protection that only an admin ends. */
  stays: string[];
}

const ofRevision = /^(?:schema|prompt)_(?:revid|version)$|^created_/u;

const newTag = async () => (await bench.newTag()).tag_id;
const policy = { max_wrong: 0.01, confidence: 0.95, unit: 'document', sample: 0.5 };

const editables: Record<string, Editable> = {
  tags: {
    create: newTag,
    method: 'PUT',
    keys: Object.keys(updateTagBody.shape),
    values: async () => ({
      name: uniqueName('renamed'),
      color: '#123456',
      description: 'New',
      on_arrival: { run_prompts: true },
    }),
    stays: ['never_to_model', 'seen'],
  },
  schemas: {
    create: async () => (await bench.newSchema()).schema_id,
    method: 'PUT',
    keys: Object.keys(updateSchemaBody.shape),
    values: async () => ({
      name: uniqueName('renamed'),
      response_format: format('total', 'other'),
      checks: [{ id: 'a', expression: 'total != ""', message: 'Empty', severity: 'error' }],
    }),
    stays: ['base_version', 'seen'],
  },
  prompts: {
    create: async () => (await bench.newPrompt({ tag_ids: [await newTag()] })).prompt_id,
    method: 'PUT',
    keys: Object.keys(updatePromptBody.shape),
    values: async () => {
      const { schema_id } = await bench.newSchema();
      return {
        name: uniqueName('renamed'),
        content: 'Other?',
        schema_id,
        examples: { count: 2 },
        evidence: true,
        second_read: true,
        tag_ids: [await newTag()],
        add_tag_ids: [await newTag()],
        review_policy: { confirm_below: 0.1, sample: 0.5 },
        release_policy: policy,
      };
    },
    stays: ['base_version', 'seen', 'schema_version', 'model', 'second_model', 'machine_map', 'remove_tag_ids'],
  },
  documents: {
    create: async () => (await bench.readDocument()).id,
    method: 'PATCH',
    keys: Object.keys(patchDocumentBody.shape),
    values: async () => ({
      document_name: uniqueName('renamed.txt'),
      tag_ids: [await newTag()],
      add_tag_ids: [await newTag()],
      metadata: { a: '1' },
      set_metadata: { b: '2' },
    }),
    stays: ['seen', 'remove_tag_ids', 'remove_metadata', 'duplicate_of', 'never_to_model'],
  },
};

it.each(Object.entries(editables))(
  'undoes a change of each field of %s',
  async (area, { create, method, keys, ...rest }) => {
    const values = await rest.values();
    expect([...Object.keys(values), ...rest.stays].toSorted()).toEqual(keys.toSorted());
    const id = await create();
    const read = async (): Promise<Record<string, unknown>> => {
      const path = area === 'schemas' || area === 'prompts' ? `./${area}?limit=100` : `./${area}/${id}`;
      const { body } = await bench.admin.get<Record<string, unknown>>(path);
      const listed = body[area] as Record<string, unknown>[] | undefined;
      const record = listed?.find((each) => each[area === 'schemas' ? 'schema_id' : 'prompt_id'] === id) ?? body;
      // A restored content is a new revision.
      return Object.fromEntries(Object.entries(record).filter(([key]) => !ofRevision.test(key)));
    };
    const before = await read();
    for (const [field, value] of Object.entries(values)) {
      const payload = { [field]: value };
      expect((await bench.admin.request(method, `./${area}/${id}`, { payload })).status, field).toBe(200);
      expect(await read(), field).not.toEqual(before);
      const { body } = await bench.admin.get<{ entries: AuditEntry[] }>('./audit?limit=1&origin=api');
      const undone = await bench.admin.post<AuditUndoAnswer>(`./audit/${body.entries[0]!.id}/undo`, {});
      expect([undone.status, undone.error], field).toEqual([200, undefined]);
      expect(await read(), field).toEqual(before);
    }
  },
);

it('an undo of a policy is followed as a change of it is', async () => {
  const changes: string[][] = [];
  const { prompt_id } = await bench.newPrompt();
  bench.services.promptHooks.onPolicyChange(async (_, promptId, changed) => void changes.push([promptId, ...changed]));
  for (const payload of [{ review_policy: { confirm_below: 0.1, sample: 0.5 } }, { content: 'Other?' }]) {
    expect((await bench.admin.request('PUT', `./prompts/${prompt_id}`, { payload })).status).toBe(200);
    const { body } = await bench.admin.get<{ entries: AuditEntry[] }>('./audit?limit=1&origin=api');
    expect((await bench.admin.post(`./audit/${body.entries[0]!.id}/undo`, {})).status).toBe(200);
  }
  expect(changes).toEqual([
    [prompt_id, 'review_policy'],
    [prompt_id, 'review_policy'],
  ]);
});
