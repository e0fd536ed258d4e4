import { expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';

/** Private words that the code once had, each with its replacement. */
const replaced: [RegExp, string][] = [
  [/\bmost(?!Common\b)[A-Z]\w*/, 'max…'],
  [/\b[tT]akeUps?\b|\btakenUp\b/, 'resume…'],
  [/\b\w*RunMark\b/, 'fencing token'],
  [/\blookAgain\w*|\blookEvery\w*/, 'poll…'],
  [/\b[sS]tillness\w*|\bstandsStill\b/, 'stall…'],
  [/\b(?:sayKept|KeepTurn|whatBecame\w*)\b/, 'emit, checkpoint, outcome'],
  [/\b(?:create)?(?:Step)?Tell(?:er|Step|Event)\b|\bcreate(?:Step)?Teller\b|\bhearResult\b/, 'emit…, add…'],
  [
    /\b(?:create)?(?:Going[A-Z]\w*|HoldRepository|ConversationHold|Breather|Promises)\b/,
    'active, lease, yield, pending',
  ],
  [/\b[iI]sTakenBack\b|\bcreateKeeper\b|\b(?:isLeft|nothingWasKept|keepPromise)\b/, 'undone, record, orphaned, stored'],
  [/\bfound(?:Turn|Thread|Collection|Conversation|Source|Version)\b/, '…OrThrow'],
];

const files = sourceFiles().filter(
  ({ path }) => /^(apps|packages|tests)\//.test(path) && !path.endsWith('source-words.test.ts'),
);
/** Lines of code without comments: only identifiers count, no prose. */
const lines = files.flatMap(({ path, text }) =>
  text
    .split('\n')
    .map((line, at) => ({ place: `${path}:${at + 1}`, line }))
    .filter(({ line }) => !/^\s*(?:\/?\*|\/\/)/.test(line)),
);

it('reads all sources', () => expect(files.length).toBeGreaterThan(1000));

it.each(replaced)('no identifier is %s: write %s', (word) => {
  expect(lines.filter(({ line }) => word.test(line)).map(({ place }) => place)).toEqual([]);
});
