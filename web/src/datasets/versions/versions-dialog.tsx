/** The versions of a dataset: save, open, compare with the current rows, and restore. */
import { useNavigate } from '@tanstack/react-router'
import { GitCompare, RotateCcw } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { type Output, useChange, usePages } from '../../app/api.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Input } from '../../ui/form/field.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { exactNumber } from '../../ui/text/format.ts'
import { RelativeTime } from '../../ui/text/values.tsx'
import { Differences } from './differences.tsx'

type Version = Output<'datasetVersions.list'>['versions'][number]

interface VersionsDialogProps {
  readonly slug: string
  readonly isOpen: boolean
  readonly mayChange: boolean
  readonly onClose: () => void
  readonly onRestore: (version: number) => void
}

export function VersionsDialog({ slug, isOpen, mayChange, onClose, onRestore }: VersionsDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Versions" isWide>
      {isOpen && <Versions {...{ slug, mayChange, onClose, onRestore }} />}
    </Dialog>
  )
}

function Versions({ slug, mayChange, onClose, onRestore }: Omit<VersionsDialogProps, 'isOpen'>) {
  const navigate = useNavigate()
  const versions = usePages('datasetVersions.list', { slug, limit: 50 }, 'versions')
  const [comparedVersion, setComparedVersion] = useState<number>()
  if (versions.isError) return <ErrorState error={versions.error} onRetry={() => void versions.refetch()} />
  if (versions.data === undefined) return <SkeletonRows />
  if (comparedVersion !== undefined)
    return <Differences slug={slug} from={comparedVersion} onBack={() => setComparedVersion(undefined)} />
  const hasChanges = versions.data.pages[0]?.hasChanges === true
  return (
    <div className="flex flex-col gap-4">
      {mayChange && <SaveVersion slug={slug} hasChanges={hasChanges} />}
      {versions.items.length === 0 ? (
        <p className="text-sm text-ink-2">
          No versions yet. Running an experiment saves one, so you can always see the rows it ran on.
        </p>
      ) : (
        <ul aria-label="Versions" className="divide-y divide-line border-y border-line">
          {versions.items.map((version) => (
            <VersionLine
              key={version.version}
              version={version}
              onOpen={() => {
                onClose()
                void navigate({
                  to: '/datasets/$slug',
                  params: { slug },
                  search: { version: version.version },
                })
              }}
              onCompare={() => setComparedVersion(version.version)}
              onRestore={
                mayChange
                  ? () => {
                      onClose()
                      onRestore(version.version)
                    }
                  : undefined
              }
            />
          ))}
        </ul>
      )}
      {versions.hasNextPage && (
        <Button size="small" isBusy={versions.isFetchingNextPage} onClick={versions.loadMore}>
          Show more
        </Button>
      )}
    </div>
  )
}

function SaveVersion({ slug, hasChanges }: { readonly slug: string; readonly hasChanges: boolean }) {
  const [note, setNote] = useState('')
  const create = useChange('datasetVersions.create', {
    refreshes: ['datasetVersions.list'],
    onDone: () => setNote(''),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate({ slug, note: note.trim() })
  }
  return (
    <form onSubmit={submit} className="flex items-center gap-2 max-sm:flex-wrap">
      <Input
        aria-label="Version note"
        placeholder={hasChanges ? 'Note (optional)' : 'Nothing has changed since the latest version'}
        maxLength={2000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Button type="submit" look="primary" isBusy={create.isPending} disabled={!hasChanges}>
        Save version
      </Button>
    </form>
  )
}

interface VersionLineProps {
  readonly version: Version
  readonly onOpen: () => void
  readonly onCompare: () => void
  readonly onRestore: (() => void) | undefined
}

const VersionLine = ({ version, onOpen, onCompare, onRestore }: VersionLineProps) => (
  <li className="flex items-center gap-3 py-2 text-sm">
    <button type="button" onClick={onOpen} className="min-w-0 flex-1 text-left hover:underline">
      <span className="font-medium">Version {version.version}</span>
      {version.note !== '' && (
        <span className="text-ink-2" dir="auto">
          {' '}
          · {version.note}
        </span>
      )}
      <span className="block text-xs text-ink-3">
        {exactNumber(version.rowCount)} {version.rowCount === 1 ? 'row' : 'rows'}
        {version.createdByName !== undefined && `, by ${version.createdByName}`},{' '}
        <RelativeTime time={version.createdAt} />
      </span>
    </button>
    <IconButton label={`Compare version ${version.version} with the current rows`} onClick={onCompare}>
      <GitCompare aria-hidden size={16} />
    </IconButton>
    {onRestore && (
      <IconButton label={`Restore version ${version.version}`} onClick={onRestore}>
        <RotateCcw aria-hidden size={16} />
      </IconButton>
    )}
  </li>
)
