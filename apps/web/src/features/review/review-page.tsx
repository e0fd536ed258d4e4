import { getRouteApi } from '@tanstack/react-router';
import { RoutingReview } from './routing/routing-review.tsx';
import { ReviewedValues } from './reviewed-values.tsx';

const route = getRouteApi('/review');

/** What waits for a user: values to check, and documents whose route or split is not sure. */
export function ReviewPage() {
  return route.useSearch().tab === 'routes' ? <RoutingReview /> : <ReviewedValues />;
}
