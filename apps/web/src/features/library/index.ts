export { ArtifactActions } from './artifact-actions.tsx';
export { VersionHistory } from './version-history.tsx';
export { VersionNotice } from './version-notice.tsx';
