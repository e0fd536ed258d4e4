import type { Requirement, SpecificationTest, TestFile } from './test-file.ts';

/** Whether a test is meant for a single server of this version. */
export function isMeantFor(version: string, file: TestFile, test: SpecificationTest): boolean {
  return anyMet(version, file.runOnRequirements) && anyMet(version, test.runOnRequirements);
}

function anyMet(version: string, requirements: Requirement[] | undefined): boolean {
  return requirements === undefined || requirements.some((requirement) => isMet(version, requirement));
}

function isMet(version: string, { minServerVersion, maxServerVersion, topologies, auth }: Requirement): boolean {
  if (auth === true) return false;
  if (topologies && !topologies.includes('single')) return false;
  if (minServerVersion !== undefined && compareVersions(version, minServerVersion) < 0) return false;
  return maxServerVersion === undefined || compareVersions(version, maxServerVersion) <= 0;
}

function compareVersions(a: string, b: string): number {
  const [x, y] = [a, b].map((version) => version.split('.').map(Number));
  const at = [0, 1, 2].find((part) => (x![part] ?? 0) !== (y![part] ?? 0));
  return at === undefined ? 0 : (x![at] ?? 0) - (y![at] ?? 0);
}
