export { documentAgentServicesFor } from './document-agent-services.ts';
export type { ArtifactServices } from './document-agent-services.ts';
