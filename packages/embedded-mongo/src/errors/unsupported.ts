import { notImplemented } from './mongo-error.ts';

/**
 * Operators and stages of MongoDB 7 that this server does not support. They have an error of their own, because the
 * error of an unknown name suggests a spelling mistake.
 */
const unsupported = {
  query: words('$where $jsonSchema $geoIntersects $geoWithin $near $nearSphere $within $box $center $sampleRate $rand'),
  expression:
    words(`$accumulator $acos $acosh $asin $asinh $atan $atan2 $atanh $binarySize $bitAnd $bitNot $bitOr $bitXor
    $bsonSize $bottom $bottomN $cos $cosh $covariancePop $covarianceSamp $dateAdd $dateDiff $dateFromParts $dateFromString
    $dateSubtract $dateToParts $degreesToRadians $denseRank $derivative $documentNumber $expMovingAvg $firstN $function
    $indexOfBytes $integral $isoDayOfWeek $isoWeek $isoWeekYear $lastN $linearFill $locf $log $log10 $maxN $median $meta
    $minN $percentile $pow $radiansToDegrees $rank $regexFind $regexFindAll $sampleRate $shift $sin $sinh $sortArray
    $stdDevPop $stdDevSamp $strcasecmp $substr $substrBytes $tan $tanh $top $topN $toHashedIndexKey $toUUID $tsIncrement
    $tsSecond $week $zip`),
  stage: words(`$bucket $bucketAuto $collStats $currentOp $densify $documents $fill $geoNear $graphLookup $indexStats
    $listLocalSessions $listSampledQueries $listSessions $planCacheStats $redact $setWindowFields $shardedDataDistribution`),
};

/**
 * Throws NotImplemented for a name in the lists above. Returns for any other name: the caller reports it as unknown.
 */
export function rejectUnsupported(kind: keyof typeof unsupported, name: string): void {
  if (!unsupported[kind].has(name)) return;
  throw notImplemented(`${kind === 'stage' ? 'stage' : 'operator'} ${name} is not supported by this server`);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
