/**
 * The role of a write's argument. A `target` names the object that is changed or deleted, a `reference` an object that is
 * used or linked, a `setting` is one of a few values that set the scope of the call, and a `field` names a value inside
 * the target. These four choose what the call works on; `content` only fills values.
 */
export type ArgumentRole = 'target' | 'reference' | 'setting' | 'field' | 'content';

/**
 * The target of a write that no argument names: the call creates an object (`new`), or it changes the object that the
 * conversation is about (`subject`).
 */
export type UnnamedTarget = 'new' | 'subject';
