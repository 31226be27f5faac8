import { Link } from '@tanstack/react-router'
import { Button } from '../../ui/button.tsx'

interface VersionBandProps {
  readonly slug: string
  readonly version: number
  /** Absent for users who may not change anything. */
  readonly onRestore: (() => void) | undefined
}

/** The notice that the grid shows a read-only version. */
export const VersionBand = ({ slug, version, onRestore }: VersionBandProps) => (
  <div
    role="status"
    className="flex shrink-0 flex-wrap items-center gap-3 border-b border-line bg-selected px-4 py-2 text-sm"
  >
    <span>Version {version} is read-only.</span>
    <Link to="/datasets/$slug" params={{ slug }} className="text-accent-ink underline">
      Show the current rows
    </Link>
    {onRestore && (
      <Button size="small" className="ml-auto" onClick={onRestore}>
        Restore
      </Button>
    )}
  </div>
)
