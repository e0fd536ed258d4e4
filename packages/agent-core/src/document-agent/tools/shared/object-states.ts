import type { Document, Extraction, Prompt, Schema, Tag } from '@docwright/contract';
import { fingerprint, type ObjectState } from '../../../tool/baseline.ts';

// The state of each kind of object that is compared between a call's proposal and its run.

export function schemaState({ schema_id, schema_version, name }: Schema): ObjectState {
  return { thing: `schema:${schema_id}`, name: `schema “${name}”`, state: { version: `${schema_version}`, name } };
}

export function promptState({ prompt_id, prompt_version, name, tag_ids }: Prompt): ObjectState {
  return {
    thing: `prompt:${prompt_id}`,
    name: `prompt “${name}”`,
    state: { version: `${prompt_version}`, name, tags: fingerprint(tag_ids) },
  };
}

export function tagState({ tag_id, name, color, description, on_arrival, never_to_model }: Tag): ObjectState {
  return {
    thing: `tag:${tag_id}`,
    name: `tag “${name}”`,
    state: {
      name,
      colour: color,
      description: fingerprint(description),
      'what it starts': fingerprint(on_arrival),
      'kept from models': never_to_model === true ? 'yes' : 'no',
    },
  };
}

export function documentState({ id, document_name, tag_ids, metadata }: Document): ObjectState {
  return {
    thing: `document:${id}`,
    name: `document “${document_name}”`,
    state: { name: document_name, tags: fingerprint(tag_ids), metadata: fingerprint(metadata) },
  };
}

/** The state of a document's extraction by one prompt; the extraction need not exist yet. */
export function extractionState(
  document: { id: string; name: string },
  prompt_revid: string,
  extraction: Extraction | undefined,
): ObjectState {
  return {
    thing: `extraction:${document.id}:${prompt_revid}`,
    name: `extraction of “${document.name}”`,
    state: {
      version: extraction === undefined ? 'none' : `${extraction.version}`,
      verified: extraction?.is_verified === true ? 'yes' : 'no',
    },
  };
}
