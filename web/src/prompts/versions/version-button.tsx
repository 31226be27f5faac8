interface VersionButtonProps {
  readonly version: string
  readonly onOpen: (version: string) => void
}

/** A version by its name; pressed, it is shown. */
export const VersionButton = ({ version, onOpen }: VersionButtonProps) => (
  <button
    type="button"
    title={version}
    onClick={() => onOpen(version)}
    className="max-w-48 truncate font-mono text-xs text-accent-ink hover:underline"
  >
    {version}
  </button>
)
