export { boundedExample, exampleBlock, exampleRule, maxExampleTokens } from './example-block.ts';
export type { VerifiedExample } from './example-block.ts';
export { passagesOf } from './passages.ts';
export { nearest, profileOf, profiledCharacters } from './word-profile.ts';
export type { WordProfile } from './word-profile.ts';
