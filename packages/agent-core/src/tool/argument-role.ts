/**
 * What an argument of a write does. A `target` names what is changed or deleted, a `reference` what is used or linked, a
 * `setting` is one of a few words that say how far the call reaches, a `field` names a value inside the target. All of
 * these choose. What fills merely gives content: `content`.
 */
export type ArgumentRole = 'target' | 'reference' | 'setting' | 'field' | 'content';
