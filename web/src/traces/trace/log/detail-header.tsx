import { Link } from '@tanstack/react-router'
import { Copy, DatabaseZap, FlaskConical, ListTree, PenLine } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { call as callOperation, useClient } from '../../../app/api.ts'
import { useSession } from '../../../app/session.tsx'
import { serviceUrl } from '../../../ui/base-path.ts'
import { buttonClass, IconButton } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/copy-text.ts'
import { lateDialog } from '../../../ui/overlay/late-dialog.tsx'
import { Menu } from '../../../ui/overlay/menu.tsx'
import { useToasts } from '../../../ui/overlay/toast.tsx'
import { curlOfCall, curlOfTrace } from '../as-curl.ts'
import type { ReadTrace } from '../read-trace.ts'
import { addressOf } from '../trace-address.ts'
import { LogIcon } from '../tree/log-icon.tsx'
import type { LogNode } from '../tree/trace-tree.ts'

const AddToDatasetDialog = lateDialog(
  async () => (await import('../add-to-dataset-dialog.tsx')).AddToDatasetDialog,
)

const AddToQueueDialog = lazy(async () => ({
  default: (await import('../../../annotation/add-to-queue-dialog.tsx')).AddToQueueDialog,
}))

interface DetailHeaderProps {
  readonly read: ReadTrace
  readonly node: LogNode | undefined
}

/** The header of a log, with its actions. */
export function DetailHeader({ read, node }: DetailHeaderProps) {
  const { trace } = read
  const log = node?.log
  const { may } = useSession()
  const [openDialog, setAdding] = useState<'row' | 'item'>()
  const source = { traceId: trace.id, ...(log && { logId: log.id }) }
  return (
    <header className="flex min-h-12 items-center gap-2 border-b border-line px-4">
      {log === undefined ? (
        <ListTree aria-hidden size={16} className="shrink-0 text-accent-ink" />
      ) : (
        <LogIcon type={log.type} size={16} />
      )}
      <h2
        dir="auto"
        className="min-w-0 flex-1 truncate text-base font-semibold"
        title={(log ?? trace).name ?? undefined}
      >
        {(log ?? trace).name ?? log?.type ?? 'Trace'}
      </h2>
      {log?.type === 'generation' && (
        <Link
          to="/playground"
          search={{ trace: trace.id, log: log.id }}
          className={buttonClass('plain', 'small')}
        >
          <FlaskConical aria-hidden size={14} />
          Playground
        </Link>
      )}
      {may('editor') && (
        <>
          <IconButton label="Add to dataset" size="small" onClick={() => setAdding('row')}>
            <DatabaseZap aria-hidden size={14} />
          </IconButton>
          <IconButton label="Add to annotation queue" size="small" onClick={() => setAdding('item')}>
            <PenLine aria-hidden size={14} />
          </IconButton>
        </>
      )}
      <CopyMenu read={read} node={node} />
      {openDialog === 'row' && <AddToDatasetDialog sources={[source]} onClose={() => setAdding(undefined)} />}
      <Suspense>
        {openDialog === 'item' && <AddToQueueDialog items={[source]} onClose={() => setAdding(undefined)} />}
      </Suspense>
    </header>
  )
}

const jsonOf = (value: object): string => JSON.stringify(value, null, 2)

function CopyMenu({ read: { trace, outline }, node }: DetailHeaderProps) {
  const toasts = useToasts()
  const client = useClient()
  const log = node?.log
  const call = log && curlOfCall(log)
  const copy = (label: string, text: string | Promise<string>): void => {
    Promise.resolve(text)
      .then(copyText)
      .then(() => toasts.done(`Copied ${label}`))
      .catch(toasts.fail)
  }
  // The logs of an outline are incomplete.
  const jsonOfTrace = async (): Promise<string> =>
    jsonOf(
      outline === undefined ? trace : (await callOperation(client, 'traces.get', { id: trace.id })).trace,
    )
  return (
    <Menu
      trigger={
        <IconButton label="Copy" size="small">
          <Copy aria-hidden size={14} />
        </IconButton>
      }
      items={[
        {
          label: 'Link to this log',
          onSelect: () => copy('the link', location.origin + addressOf(trace.id, log?.id)),
        },
        {
          label: log ? 'Log as JSON' : 'Trace as JSON',
          onSelect: () => copy('the JSON', log ? jsonOf(log) : jsonOfTrace()),
        },
        {
          label: 'curl to read the trace',
          onSelect: () => copy('the command', curlOfTrace(serviceUrl, trace.id)),
        },
        ...(call === undefined
          ? []
          : [{ label: 'curl to repeat the call', onSelect: () => copy('the command', call) }]),
        { label: 'Trace ID', startsGroup: true, onSelect: () => copy('the id', trace.id) },
        ...(log ? [{ label: 'Log ID', onSelect: () => copy('the id', log.id) }] : []),
      ]}
    />
  )
}
