interface ProgressBarProps {
  readonly label: string
  /** 0 to 1. */
  readonly share: number
}

/** The progress of a long operation. */
export const ProgressBar = ({ label, share }: ProgressBarProps) => (
  <div className="flex flex-col gap-1">
    <span className="numbers text-sm text-ink-2">{label}</span>
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      className="h-2 overflow-hidden rounded-full bg-hover"
    >
      <div className="h-full bg-accent transition-[width]" style={{ width: `${share * 100}%` }} />
    </div>
  </div>
)
