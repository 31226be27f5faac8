interface VersionButtonProps {
  readonly version: string
  readonly onOpen: (version: string) => void
}

/** A button that opens a version, by its name. */
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
