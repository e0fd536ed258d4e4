import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { backLinkClass } from '../../shared/page/page.tsx';

export const scheduleListLink = (
  <Link to="/schedules" className={backLinkClass}>
    <ArrowLeft aria-hidden className="size-4" /> Schedules
  </Link>
);
