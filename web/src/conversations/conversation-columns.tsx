/** The columns of the list of conversations. */
import type { Conversation } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import {
  costColumn,
  failedColumn,
  lastColumn,
  scoresColumn,
  tokensColumn,
} from '../traces/list/rows/group-columns.tsx'
import { previewText } from '../traces/list/rows/preview-text.ts'
import type { Column } from '../ui/table/columns.ts'
import { nothing, shortId } from '../ui/text/format.ts'
import { Count, Duration, RelativeTime } from '../ui/text/values.tsx'

type ConversationColumn = Column<Conversation>

/** Who talked: the name of the end user, else a short form of the session. */
export const speakerOf = ({ user, id }: Conversation): string =>
  user === null ? `Session ${shortId(id)}` : user.name || user.id

const preview = (json: string | null) => {
  const text = previewText(json)
  return (
    <span dir="auto" className="line-clamp-2 leading-[1.35] break-words whitespace-normal text-ink-2">
      {text === '' ? nothing : text}
    </span>
  )
}

export const narrowColumns: readonly string[] = ['who', 'traces', 'errors']

export const conversationColumns = (isNarrow: boolean): readonly ConversationColumn[] => [
  lastColumn,
  {
    id: 'who',
    header: 'User',
    width: isNarrow ? 140 : 160,
    grow: isNarrow ? 4 : 1,
    isFixed: true,
    cell: (conversation) => <Speaker conversation={conversation} isNarrow={isNarrow} />,
  },
  {
    id: 'firstInput',
    header: 'First message',
    width: 180,
    grow: 5,
    cell: ({ firstInput }) => preview(firstInput),
  },
  {
    id: 'lastOutput',
    header: 'Last answer',
    width: 180,
    grow: 5,
    cell: ({ lastOutput }) => preview(lastOutput),
  },
  scoresColumn,
  {
    id: 'traces',
    header: 'Turns',
    width: 64,
    align: 'right',
    sortBy: true,
    cell: ({ traces }) => <Count value={traces} />,
  },
  failedColumn,
  {
    id: 'duration',
    header: 'Duration',
    width: 96,
    align: 'right',
    sortBy: true,
    cell: ({ durationMs }) => <Duration value={durationMs} />,
  },
  costColumn,
  { ...tokensColumn, isExtra: true },
  {
    id: 'first',
    header: 'Started',
    width: 104,
    isExtra: true,
    sortBy: true,
    cell: ({ firstTime }) => <RelativeTime time={firstTime} />,
  },
]

interface SpeakerProps {
  readonly conversation: Conversation
  readonly isNarrow: boolean
}

function Speaker({ conversation, isNarrow }: SpeakerProps) {
  const { id, organization, firstInput, lastTime } = conversation
  return (
    <span className="flex min-w-0 flex-col">
      <Link
        to="/conversations/$id"
        params={{ id }}
        tabIndex={-1}
        dir="auto"
        title={id}
        onClick={(event) => event.stopPropagation()}
        className="truncate font-medium"
      >
        {speakerOf(conversation)}
      </Link>
      <span className="flex min-w-0 gap-1.5 text-xs text-ink-3">
        {isNarrow && (
          <span className="shrink-0">
            <RelativeTime time={lastTime} />
          </span>
        )}
        <span dir="auto" className="truncate">
          {isNarrow
            ? previewText(firstInput)
            : organization === null
              ? shortId(id)
              : organization.name || organization.id}
        </span>
      </span>
    </span>
  )
}
