import { z } from 'zod';
import { jsonValue, objectId, pageInfo, pageQuery, recordId, timestamp } from '../base/fields.ts';
import { provenanceSource } from '../chat/provenance.ts';

/** The effect of a rule on a matching call: `deny` takes precedence over `ask`, and `ask` over `allow`. */
export const permissionEffect = z.enum(['allow', 'ask', 'deny']);
export type PermissionEffect = z.infer<typeof permissionEffect>;

export const permissionScope = z.enum(['thread', 'document', 'organization']);
export type PermissionScope = z.infer<typeof permissionScope>;

/** A tool's name, or a pattern in which `*` stands for any characters: `create_*`, `*`. */
export const toolPattern = z.string().min(1).max(100);

const path = z.string().min(1).max(200);

/** A condition on one argument, by its dotted path with indexes (`questions.0.header`); `*` is any index or key. */
export const argumentCondition = z.union([
  z.strictObject({ path, equals: jsonValue }),
  /** A regular expression, found anywhere in the value unless it is anchored. */
  z.strictObject({ path, matches: z.string().min(1).max(1000) }),
]);
export type ArgumentCondition = z.infer<typeof argumentCondition>;

/** The measured effect of a call. All given conditions must hold, for each prompt that the call changes. */
export const evaluationCondition = z.strictObject({
  evaluation: z
    .strictObject({
      /** Maximum number of values that are right now and would become wrong. */
      broken_at_most: z.number().int().min(0).optional(),
      /** Minimum number of measured documents, at least one. */
      documents_at_least: z.number().int().min(1).max(200).optional(),
      /** Minimum gain of accuracy as a fraction: 0.01 is one percentage point; 0 allows no loss. */
      accuracy_gain_at_least: z.number().min(-1).max(1).optional(),
    })
    .refine((condition) => Object.keys(condition).length > 0, 'Give at least one condition.'),
});
export type EvaluationCondition = z.infer<typeof evaluationCondition>;

/** The source of an argument, by its dotted path; `*` is any index or key. */
export const provenanceCondition = z.strictObject({ provenance: z.strictObject({ path, from: provenanceSource }) });
export type ProvenanceCondition = z.infer<typeof provenanceCondition>;

/** The condition of a rule: the value of an argument, its source, or the measured effect of the call. */
export const permissionCondition = z.union([argumentCondition, evaluationCondition, provenanceCondition]);
export type PermissionCondition = z.infer<typeof permissionCondition>;

const ruleFields = {
  tool: toolPattern,
  when: permissionCondition.optional(),
  effect: permissionEffect,
  scope: permissionScope,
};

export const permissionRule = z.object({
  id: recordId,
  ...ruleFields,
  thread_id: recordId.optional(),
  document_id: recordId.optional(),
  created_at: timestamp,
  created_by: z.string(),
});
export type PermissionRule = z.infer<typeof permissionRule>;

export const permissionRuleList = pageInfo.extend({ permission_rules: z.array(permissionRule) });
export const permissionRuleQuery = pageQuery;

/** Strict: ignoring a misspelled condition would create a broader rule than intended. */
export const createPermissionRuleBody = z.strictObject({
  ...ruleFields,
  thread_id: objectId.optional(),
  document_id: objectId.optional(),
});
export type CreatePermissionRuleBody = z.infer<typeof createPermissionRuleBody>;

/** A past call that the rule would have decided differently. */
export const simulatedCall = z.object({
  call_id: z.string(),
  at: timestamp,
  actor: z.string(),
  document_id: recordId.optional(),
  thread_id: recordId,
  turn_id: recordId,
  tool: z.string(),
  arguments: z.string(),
  /** The decision when the call was proposed. */
  before: permissionEffect,
  /** The decision with the rule. */
  after: permissionEffect,
});

export const simulationAnswer = z.object({
  calls: z.array(simulatedCall),
  /** Number of past calls that the rule was tested on. */
  examined: z.number().int(),
  /** Calls with truncated arguments, which cannot be decided. */
  undecidable: z.number().int(),
  /** Whether older calls were left out. */
  truncated: z.boolean(),
});
export type SimulationAnswer = z.infer<typeof simulationAnswer>;
