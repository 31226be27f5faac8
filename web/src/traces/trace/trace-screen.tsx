/** A trace on a screen of its own. */
import { Link } from '@tanstack/react-router'
import { GitCompareArrows } from 'lucide-react'
import { useRead } from '../../app/api.ts'
import { Screen } from '../../app/screen.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { traceRoute } from './routes.ts'
import { addressOf } from './trace-address.ts'
import { TraceView } from './trace-view.tsx'

export function TraceScreen() {
  const { id } = traceRoute.useParams()
  const { log, find } = traceRoute.useSearch()
  const navigate = traceRoute.useNavigate()
  const trace = useRead('traces.get', { id }).data?.trace
  const name = trace?.name ?? 'Trace'
  return (
    <Screen
      title={name}
      heading={
        <span className="flex min-w-0 items-center gap-2">
          <Link to="/traces" className="shrink-0 text-ink-3 hover:text-ink">
            Traces
          </Link>
          <span aria-hidden className="text-ink-3">
            /
          </span>
          <span dir="auto" className="truncate" title={name}>
            {name}
          </span>
        </span>
      }
      actions={
        <>
          <Link to="/traces/diff" search={{ a: id }} className={buttonClass('plain', 'small')}>
            <GitCompareArrows aria-hidden size={14} />
            Compare
          </Link>
          <CopyButton text={() => location.origin + addressOf(id, log)} label="Copy the link" />
        </>
      }
    >
      <TraceView
        traceId={id}
        logId={log}
        onLog={(next) =>
          void navigate({ search: (before) => ({ ...before, log: next }), replace: true, resetScroll: false })
        }
        search={find ?? ''}
        onSearch={(text) =>
          void navigate({
            search: (before) => ({ ...before, find: text === '' ? undefined : text }),
            replace: true,
            resetScroll: false,
          })
        }
      />
    </Screen>
  )
}
