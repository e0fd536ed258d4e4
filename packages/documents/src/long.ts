export { isComplete, issuesOf, pagesText, type CutPage, type ResultIssue } from './pieces/issues.ts';
export { mergedPaths, mergeResults, type MergedResult, type PieceResult } from './pieces/merge-results.ts';
export { headersFor, planPieces, type Piece, type PieceLimits, type PlannedPage } from './pieces/plan-pieces.ts';
export { readInPieces, type PieceAnswer, type PieceReading, type ReadPieces } from './pieces/read-in-pieces.ts';
export { createRowCounter, type PrintedRow, type PrintedTable } from './row-counting/count-rows.ts';
export { createSplitProposer, isSureSplit, type ProposedPart } from './split/propose-split.ts';
