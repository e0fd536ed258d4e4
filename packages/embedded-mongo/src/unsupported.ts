import { notImplemented } from './errors.ts';

/** What MongoDB 7 knows and this server does not do: a reader of the error must not look for a spelling mistake. */
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

/** @throws MongoError NotImplemented where MongoDB knows the operator or stage; returns where nobody does. */
export function refuseUnsupported(kind: keyof typeof unsupported, name: string): void {
  if (!unsupported[kind].has(name)) return;
  throw notImplemented(`${kind === 'stage' ? 'stage' : 'operator'} ${name} is not supported by this server`);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
