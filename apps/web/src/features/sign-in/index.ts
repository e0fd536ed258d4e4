export { ClaimBanner } from './claim-banner.tsx';
