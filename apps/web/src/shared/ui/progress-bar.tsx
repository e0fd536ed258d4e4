import { classNames } from './class-names.ts';

interface ProgressBarProps {
  label: string;
  /** Undefined while the progress is not known. */
  value: number | undefined;
  max: number;
  className?: string;
}

export function ProgressBar({ label, value, max, className = 'h-1.5 w-full' }: ProgressBarProps) {
  return (
    <progress
      aria-label={label}
      value={value}
      max={max}
      className={classNames(
        'block appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[width]',
        className,
      )}
    />
  );
}
