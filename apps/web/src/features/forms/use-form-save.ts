import { withExactNumbers, type Extraction } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, messageOf } from '../../shared/http/api-error.ts';
import { extractionsQuery, patchExtraction, readExtraction } from '../../shared/api/extractions-api.ts';
import { isRecord } from '../../shared/http/json-value.ts';
import { replaceExtraction } from '../extraction/index.ts';
import { useSession } from '../../shared/session/session.tsx';
import type { FormDraft } from './form-draft.ts';
import { changesBetween, rebase } from './form-value.ts';

/** Why a form was not saved completely, with the messages of refused fields by path. */
export class FormSaveError extends Error {
  readonly problems: Map<string, string>;

  constructor(message: string, problems = new Map<string, string>()) {
    super(message);
    this.name = 'FormSaveError';
    this.problems = problems;
  }
}

const maxAttempts = 5;

/**
 * Saves a draft field by field, each on the version that the previous one created. If someone else saves in between, it
 * continues unless both changed the same field: then it stops and the form shows both values.
 */
export function useFormSave(extraction: Extraction) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const { document_id: documentId, prompt_revid: promptRevid } = extraction;
  const show = (changed: Extraction) => replaceExtraction(queryClient, orgId, changed);

  return useMutation({
    mutationFn: async ({ base, mine, version: startVersion }: FormDraft) => {
      let version = startVersion;
      let known = base;
      let attempts = 0;
      const changes = changesBetween(base, mine);
      while (changes.length > 0) {
        const [change] = changes;
        if (!change) break;
        try {
          const changed = await patchExtraction(orgId, documentId, { promptRevid, ...change, base_version: version });
          ({ version } = changed);
          known = withExactNumbers(changed);
          changes.shift();
          show(changed);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          if (error.status !== 409) throw new FormSaveError(messageOf(error), refusedFields(error));
          attempts += 1;
          const newest = await readExtraction(orgId, documentId, promptRevid);
          const { conflicts, lost } = rebase(known, changes, withExactNumbers(newest));
          show(newest);
          if (conflicts.length > 0 || lost.length > 0 || attempts >= maxAttempts) {
            throw new FormSaveError('Someone else changed this. Check the marked fields, then save again.');
          }
          ({ version } = newest);
          known = withExactNumbers(newest);
        }
      }
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: extractionsQuery(orgId, documentId).queryKey }),
        queryClient.invalidateQueries({ queryKey: ['documents', orgId, 'one', documentId] }),
      ]),
  });
}

/** The messages of the server's error about single fields, by path. */
function refusedFields({ details }: ApiError): Map<string, string> {
  const problems = new Map<string, string>();
  for (const each of Array.isArray(details) ? details : []) {
    if (!isRecord(each)) continue;
    const { path, message } = each;
    if (typeof path === 'string' && typeof message === 'string') problems.set(path, message);
  }
  return problems;
}
