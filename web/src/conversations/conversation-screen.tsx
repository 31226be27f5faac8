/** A whole conversation as one chat, across the traces of its session. */

import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Database, PenLine } from 'lucide-react'
import { useState } from 'react'
import { type Output, refresh, usePages } from '../app/api.ts'
import { Path } from '../app/path.tsx'
import { rangeSince } from '../app/range/range.ts'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { hasValues, writeClause } from '../traces/filter/filter-text.ts'
import { MeanScores } from '../traces/list/rows/group-columns.tsx'
import { ReadingModeSwitch, useReadingMode } from '../traces/messages/reading-mode.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { lateDialog } from '../ui/overlay/late-dialog.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Count, Duration, Money, RelativeTime, TokenSum } from '../ui/text/values.tsx'
import { speakerOf } from './conversation-columns.tsx'
import { conversationRoute } from './routes.ts'
import { TurnView } from './turn-view.tsx'

const ScoreDialog = lateDialog(async () => (await import('../traces/list/score-dialog.tsx')).ScoreDialog)
const AddToQueueDialog = lateDialog(
  async () => (await import('../annotation/add-to-queue-dialog.tsx')).AddToQueueDialog,
)
const AddToDatasetDialog = lateDialog(
  async () => (await import('../traces/trace/add-to-dataset-dialog.tsx')).AddToDatasetDialog,
)

type Conversation = Output<'conversations.get'>['conversation']

const parents = [{ label: 'Conversations', link: { to: '/conversations' } }] as const
const refreshMs = 15_000

export function ConversationScreen() {
  const { id } = conversationRoute.useParams()
  const pages = usePages('conversations.get', { id, limit: 50 }, 'turns', { refreshMs })
  const [mode, setMode] = useReadingMode()
  const { may } = useSession()
  const queries = useQueryClient()
  const [scoredId, setScoredId] = useState<string>()
  const { openDialog, awaited, open, close } = useWholeDialogs(pages)
  const conversation = pages.data?.pages[0]?.conversation
  const title = conversation === undefined ? 'Conversation' : speakerOf(conversation)
  const traceIds = pages.items.map(({ traceId }) => ({ traceId }))
  return (
    <Screen
      title={title}
      heading={<Path parents={parents}>{title}</Path>}
      actions={
        <>
          <ReadingModeSwitch mode={mode} onChange={setMode} />
          {may('editor') && (
            <>
              <Button
                icon={<Database aria-hidden size={14} />}
                isBusy={awaited === 'dataset'}
                // Until then, it is unknown whether there are more turns.
                disabled={conversation === undefined}
                onClick={() => open('dataset')}
              >
                <span className="max-md:sr-only">Add to dataset</span>
              </Button>
              <Button
                icon={<PenLine aria-hidden size={14} />}
                isBusy={awaited === 'queue'}
                disabled={conversation === undefined}
                onClick={() => open('queue')}
              >
                <span className="max-md:sr-only">Annotate</span>
              </Button>
            </>
          )}
          <Link
            to="/traces"
            search={{
              q: writeClause({ type: 'values', field: 'session', values: [id], isNot: false }),
              range: rangeSince(new Date(conversation?.firstTime ?? Date.now()), new Date()),
            }}
            className={buttonClass()}
          >
            Traces
          </Link>
        </>
      }
    >
      {pages.isError && conversation === undefined ? (
        <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
      ) : conversation === undefined ? (
        <SkeletonRows />
      ) : (
        <>
          <Summary conversation={conversation} />
          <ol aria-label="Turns">
            {pages.items.map((turn, index) => (
              <TurnView
                key={turn.traceId}
                turn={turn}
                number={index + 1}
                mode={mode}
                onScore={may('editor') ? () => setScoredId(turn.traceId) : undefined}
              />
            ))}
          </ol>
          {pages.hasNextPage && (
            <div className="p-4">
              <Button onClick={pages.loadMore} disabled={pages.isFetchingNextPage}>
                Show later turns
              </Button>
            </div>
          )}
        </>
      )}
      {scoredId !== undefined && (
        <ScoreDialog
          traceIds={[scoredId]}
          onClose={() => {
            setScoredId(undefined)
            void refresh(queries, ['conversations.get'])
          }}
        />
      )}
      {openDialog === 'queue' && <AddToQueueDialog items={traceIds} onClose={close} />}
      {openDialog === 'dataset' && <AddToDatasetDialog sources={traceIds} onClose={close} />}
    </Screen>
  )
}

type Dialog = 'queue' | 'dataset'

/** Dialogs that act on the whole conversation; turns not yet shown are loaded first. */
function useWholeDialogs({
  hasNextPage,
  fetchNextPage,
}: Pick<ReturnType<typeof usePages<'conversations.get', 'turns'>>, 'hasNextPage' | 'fetchNextPage'>) {
  const [openDialog, setOpenDialog] = useState<Dialog>()
  const [awaited, setAwaited] = useState<Dialog>()
  const toasts = useToasts()
  const open = async (dialog: Dialog): Promise<void> => {
    setAwaited(dialog)
    let mayLoad = hasNextPage
    let error: Error | null = null
    while (mayLoad && error === null) {
      const last = await fetchNextPage()
      mayLoad = last.hasNextPage
      error = last.error
    }
    setAwaited(undefined)
    if (error === null) setOpenDialog(dialog)
    else toasts.fail(error)
  }
  return {
    openDialog,
    awaited,
    open: (dialog: Dialog) => void open(dialog),
    close: () => setOpenDialog(undefined),
  }
}

function Summary({ conversation }: { readonly conversation: Conversation }) {
  const { user, organization, traces, failed, lastTime, durationMs, cost, tokens, tokensEstimated, scores } =
    conversation
  const clauseFor = (field: 'user' | 'organization', value: string): string =>
    writeClause(hasValues(field, [value]))
  return (
    <dl className="flex shrink-0 flex-wrap items-baseline gap-x-6 gap-y-1 border-b border-line px-4 py-2 text-sm *:flex *:items-baseline *:gap-2 [&_dt]:text-xs [&_dt]:text-ink-3">
      {user !== null && (
        <div>
          <dt>User</dt>
          <dd>
            <Link to="/conversations" search={{ q: clauseFor('user', user.id) }} className="hover:underline">
              <bdi>{user.name || user.id}</bdi>
            </Link>
          </dd>
        </div>
      )}
      {organization !== null && (
        <div>
          <dt>Customer</dt>
          <dd>
            <Link
              to="/conversations"
              search={{ q: clauseFor('organization', organization.id) }}
              className="hover:underline"
            >
              <bdi>{organization.name || organization.id}</bdi>
            </Link>
          </dd>
        </div>
      )}
      <div>
        <dt>Turns</dt>
        <dd>
          <Count value={traces} />
        </dd>
      </div>
      <div>
        <dt>Failed</dt>
        <dd className={failed > 0 ? 'text-bad' : undefined}>
          <Count value={failed} />
        </dd>
      </div>
      <div>
        <dt>Duration</dt>
        <dd>
          <Duration value={durationMs} />
        </dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>
          <Money value={cost} isEstimate={tokensEstimated} />
        </dd>
      </div>
      <div>
        <dt>Tokens</dt>
        <dd>
          <TokenSum value={tokens} isEstimate={tokensEstimated} />
        </dd>
      </div>
      <div>
        <dt>Last turn</dt>
        <dd>
          <RelativeTime time={lastTime} />
        </dd>
      </div>
      {scores.length > 0 && (
        <div>
          <dt>Scores</dt>
          <dd>
            <MeanScores scores={scores} />
          </dd>
        </div>
      )}
    </dl>
  )
}
