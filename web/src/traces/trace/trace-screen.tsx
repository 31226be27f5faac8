/** A trace on a screen of its own. */
import { Link } from '@tanstack/react-router'
import { GitCompareArrows } from 'lucide-react'
import { useRead } from '../../app/api.ts'
import { Path } from '../../app/path.tsx'
import { Screen } from '../../app/screen.tsx'
import { useSession } from '../../app/session.tsx'
import { CommentsButton } from '../../comments/comments-button.tsx'
import { ShareButton } from '../../sharing/share-button.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ReceiptButton } from './receipt/receipt-button.tsx'
import { traceRoute } from './routes.ts'
import { addressOf } from './trace-address.ts'
import { TraceView } from './trace-view.tsx'
import { isNotFound } from './use-trace.ts'

const parents = [{ label: 'Traces', link: { to: '/traces' } }] as const

export function TraceScreen() {
  const { id } = traceRoute.useParams()
  const { log, find } = traceRoute.useSearch()
  const navigate = traceRoute.useNavigate()
  const outline = useRead('traces.outline', { id })
  const trace = outline.data?.trace
  const mayShare = useSession().may('editor')
  const name = trace?.name ?? 'Trace'
  return (
    <Screen
      title={name}
      heading={<Path parents={parents}>{name}</Path>}
      actions={
        // A missing trace has no actions.
        (trace === undefined ? outline.isError : isNotFound(outline.error)) ? undefined : (
          <>
            {trace !== undefined && <ReceiptButton trace={trace} />}
            {mayShare && <ShareButton traceId={id} />}
            <CommentsButton subjectType="trace" subjectId={id} size="small" />
            <Link to="/traces/diff" search={{ a: id }} className={buttonClass('plain', 'small')}>
              <GitCompareArrows aria-hidden size={14} />
              Compare
            </Link>
            <CopyButton text={() => location.origin + addressOf(id, log)} label="Copy link" />
          </>
        )
      }
    >
      <TraceView
        traceId={id}
        logId={log}
        onLog={(next) =>
          void navigate({
            search: (previous) => ({ ...previous, log: next }),
            replace: true,
            resetScroll: false,
          })
        }
        search={find ?? ''}
        onSearch={(text) =>
          void navigate({
            search: (previous) => ({ ...previous, find: text === '' ? undefined : text }),
            replace: true,
            resetScroll: false,
          })
        }
      />
    </Screen>
  )
}
