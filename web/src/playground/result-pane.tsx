// biome-ignore-all lint/suspicious/noArrayIndexKey: Columns and repetitions have no name but their place.
// biome-ignore-all lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by keyboard.
import type { Connection, PromptVersion, StoredRow } from '@plumbline/sdk'
import { Plus } from 'lucide-react'
import { ReadingModeSwitch, useReadingMode } from '../traces/messages/reading-mode.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { LabelledCheckbox } from '../ui/form/checkbox.tsx'
import type { Column } from './column.ts'
import { ColumnHeader } from './column-header.tsx'
import { DatasetGrid } from './dataset-grid.tsx'
import { isOfColumn, keyOf, onlyCase, repeats } from './plan-jobs.ts'
import { isUnderWay, type Run } from './run.ts'
import { RunOutput } from './run-output.tsx'

interface ResultPaneProps {
  readonly columns: readonly Column[]
  readonly connections: readonly Connection[]
  readonly versions: readonly PromptVersion[]
  readonly onOlderVersions: () => void
  /** The rows of the dataset; undefined if the form's values are used. */
  readonly rows: readonly StoredRow[] | undefined
  readonly runs: ReadonlyMap<string, Run>
  readonly onColumns: (columns: readonly Column[]) => void
  readonly onAdd: () => void
  readonly onRemove: (position: number) => void
  readonly onRun: (position: number) => void
  readonly onStop: (position: number) => void
  readonly isRecorded: boolean
  readonly onRecord: (isRecorded: boolean) => void
}

const timesMax = Math.max(...repeats)

/** The columns and their outputs: below each column, or in one row per case for a dataset. */
export function ResultPane(props: ResultPaneProps) {
  const { columns, connections, versions, rows, runs, onColumns, onAdd, onRemove, onRun, onStop } = props
  const { isRecorded, onRecord } = props
  const [mode, setMode] = useReadingMode()
  const runsOf = (position: number, id: string): readonly Run[] =>
    Array.from({ length: timesMax }, (_, repetition) => runs.get(keyOf(position, id, repetition))).filter(
      (run) => run !== undefined,
    )
  const nameOf = ({ connectionId, model, version }: Column): string =>
    [
      model || versions.find((candidate) => candidate.version === version)?.model.model,
      version,
      connections.find(({ id }) => id === connectionId)?.name,
    ]
      .filter((part) => part !== undefined && part !== '')
      .join(' · ')
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-3 border-b border-line px-3 py-2 max-md:border-t">
        <ReadingModeSwitch mode={mode} onChange={setMode} />
        <LabelledCheckbox label="Record runs as traces" isChecked={isRecorded} onChange={onRecord} />
        <span className="ml-auto">
          <Button size="small" icon={<Plus aria-hidden size={14} />} onClick={onAdd}>
            Add column
          </Button>
        </span>
      </div>
      <div
        className={classNames(
          'flex overflow-x-auto',
          rows === undefined ? 'min-h-0 flex-1 max-md:flex-col' : 'shrink-0',
        )}
      >
        {columns.map((column, position) => (
          <article
            key={position}
            aria-label={`Column ${position + 1}`}
            className="flex min-w-80 flex-1 flex-col border-line not-last:border-r"
          >
            <ColumnHeader
              column={column}
              place={position + 1}
              connections={connections}
              versions={versions}
              onOlderVersions={props.onOlderVersions}
              isRunning={[...runs].some(([key, run]) => isOfColumn(position)(key) && isUnderWay(run))}
              onChange={(next) =>
                onColumns(columns.map((other, index) => (index === position ? next : other)))
              }
              onRun={() => onRun(position)}
              onStop={() => onStop(position)}
              onCopy={() => onColumns([...columns, column])}
              onRemove={columns.length > 1 ? () => onRemove(position) : undefined}
            />
            {rows === undefined && (
              <Answers runs={runsOf(position, onlyCase)} place={position + 1} mode={mode} />
            )}
          </article>
        ))}
      </div>
      {rows !== undefined && (
        <DatasetGrid rows={rows} columns={columns} nameOf={nameOf} runsOf={runsOf} mode={mode} />
      )}
    </div>
  )
}

interface AnswersProps {
  readonly runs: readonly Run[]
  readonly place: number
  readonly mode: ReturnType<typeof useReadingMode>[0]
}

const Answers = ({ runs, place, mode }: AnswersProps) => (
  <div tabIndex={0} className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-3 -outline-offset-2">
    {runs.map((run, repetition) => (
      <RunOutput
        key={repetition}
        run={run}
        mode={mode}
        label={`column ${place}${repetition > 0 ? `, run ${repetition + 1}` : ''}`}
      />
    ))}
    {runs.length === 0 && <p className="text-sm text-ink-3">The output appears here.</p>}
  </div>
)
