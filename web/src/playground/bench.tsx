import type { Connection } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { Play, Save, Square } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { usePages, useRead } from '../app/api.ts'
import { useCommands } from '../app/palette/commands.tsx'
import { Screen } from '../app/screen.tsx'
import { readDraft } from '../prompts/edit/model-draft.ts'
import { useVariables } from '../prompts/edit/use-variables.ts'
import { readValues } from '../prompts/edit/variable-values.ts'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/form/select.tsx'
import { lateDialog } from '../ui/overlay/late-dialog.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { SplitPane } from '../ui/split-pane.tsx'
import { useRemembered } from '../ui/storage/remembered.ts'
import { type Column, firstColumn, nextColumn, readColumn, textsOfColumns, writeColumn } from './column.ts'
import { type Draft, hasTemplate, keepDraft, keptDraft, textsOfDraft } from './draft.ts'
import { type Case, isOfColumn, onlyCase, planJobs, repeats } from './plan-jobs.ts'
import { ResultPane } from './result-pane.tsx'
import { playgroundRoute } from './routes.ts'
import { isUnderWay } from './run.ts'
import { SetupPanel } from './setup-panel.tsx'
import type { Origin } from './use-origin.ts'
import { useRuns } from './use-runs.ts'

const SaveDraft = lateDialog(async () => (await import('./save-draft.tsx')).SaveDraft)

interface BenchProps {
  readonly origin: Origin
  /** The draft of the origin. */
  readonly initial: Draft
  readonly connections: readonly Connection[]
}

const rowsMax = 100
const none: readonly never[] = []

/** The setup on the left, the columns on the right. */
export function Bench({ origin, initial, connections }: BenchProps) {
  const bench = useBench({ origin, initial, connections })
  const { prompt, draft, setDraft, variables, recording, setRecording, runs, stop, forget, navigate } = bench
  const { change, listed, datasets, dataset, rowCount, rows, columns, setColumns, run, add, remove } = bench
  const [isSaving, setSaving] = useState(false)
  const save = (): void => {
    if (bench.hasParameters()) setSaving(true)
  }
  useBenchKeys(bench, save)
  return (
    <Screen
      title="Playground"
      heading={prompt === undefined ? undefined : <Heading prompt={prompt} />}
      actions={<Actions bench={bench} onSave={save} />}
    >
      <SplitPane
        name="playground"
        label="Setup width"
        initialPx={460}
        minPx={320}
        first={
          <SetupPanel
            draft={draft}
            onChange={(patch) => setDraft((previous) => ({ ...previous, ...patch }))}
            variables={variables}
            prompt={prompt}
            datasets={datasets}
            dataset={dataset}
            rowCount={rowCount}
            onDataset={(slug) => {
              forget()
              change({ dataset: slug })
            }}
            onRowCount={(count) => change({ rows: count })}
          />
        }
        second={
          <ResultPane
            columns={columns}
            connections={connections}
            versions={listed}
            onOlderVersions={bench.loadOlder}
            rows={dataset === undefined ? undefined : rows}
            runs={runs}
            onColumns={setColumns}
            onAdd={add}
            onRemove={remove}
            onRun={(index) => run([index])}
            onStop={(index) => stop(isOfColumn(index))}
            isRecorded={recording === 'yes'}
            onRecord={(isOn) => setRecording(isOn ? 'yes' : 'no')}
          />
        }
      />
      <SaveDraft
        isOpen={isSaving}
        onClose={() => setSaving(false)}
        draft={draft}
        column={columns.find(({ version }) => version === undefined) ?? columns[0]}
        connections={connections}
        prompt={prompt}
        onSaved={(slug, version) => {
          setSaving(false)
          void navigate({ to: '/prompts/$slug', params: { slug }, search: { version } })
        }}
      />
    </Screen>
  )
}

/** The columns and cases of the bench, and their runs. */
function useBench({ origin, initial, connections }: BenchProps) {
  const search = playgroundRoute.useSearch()
  const navigate = playgroundRoute.useNavigate()
  const change = (patch: Partial<typeof search>): void =>
    void navigate({ search: (previous) => ({ ...previous, ...patch }), replace: true })
  const [firstDraft] = useState(initial)
  const [draft, setDraft] = useState(() => keptDraft(origin.key) ?? firstDraft)
  useEffect(() => keepDraft(origin.key, draft, firstDraft), [origin.key, draft, firstDraft])
  const [recording, setRecording] = useRemembered('playground.record', 'no')
  const { runs, start, stop, forget } = useRuns()

  const { prompt } = origin
  const versions = usePages('versions.list', { slug: prompt ?? '' }, 'versions', {
    enabled: prompt !== undefined,
  })
  const listed = prompt === undefined ? none : versions.items
  const datasets = useRead('datasets.list', {}).data?.datasets ?? none
  const dataset = search.dataset
  const rowCount = Math.min(rowsMax, Math.max(1, Math.round(search.rows ?? 10)))
  const rowPage = useRead(
    'datasets.rows',
    { slug: dataset ?? '', limit: rowCount },
    { enabled: dataset !== undefined },
  )
  const rows = dataset === undefined ? none : (rowPage.data?.rows ?? none)
  // Until they load, the previous rows belong to another dataset or are fewer.
  const isReading = dataset !== undefined && (rowPage.isPending || rowPage.isPlaceholderData)
  const repeat = repeats.find((count) => count === search.repeat) ?? 1

  const first = firstColumn(connections, initial.model)
  const columns: readonly Column[] = search.columns?.map(readColumn) ?? (first ? [first] : none)
  const setColumns = (next: readonly Column[]): void => change({ columns: next.map(writeColumn) })

  const texts = useMemo(
    () => textsOfColumns(textsOfDraft(draft), search.columns?.map(readColumn) ?? none, listed),
    [draft, search.columns, listed],
  )
  const variables = useVariables(texts)
  const isCorrect = useCheck()
  const hasParameters = (): boolean => isCorrect('parameters', readDraft(draft.model).problems)
  const { values, problems } = useMemo(() => readValues(draft.values, variables), [draft.values, variables])
  const cases: readonly Case[] = dataset === undefined ? [{ id: onlyCase, values }] : rows
  const run = (ats: readonly number[]): void => {
    const chosenColumns = ats.flatMap((index) => {
      const column = columns[index]
      return column === undefined ? [] : [[index, column] as const]
    })
    const runsDraft = chosenColumns.some(([, { version }]) => version === undefined)
    if (isReading || (runsDraft && !hasParameters())) return
    if (dataset === undefined && !isCorrect('variables', problems)) return
    const { messages, model } = draft
    const parameters = readDraft(model).model.parameters ?? {}
    const isRecorded = recording === 'yes'
    const plan = { texts: textsOfDraft(draft), messages, parameters, prompt, isRecorded }
    start(planJobs(plan, chosenColumns, cases, repeat), (key) => ats.some((index) => isOfColumn(index)(key)))
  }
  const runAll = (): void => run(columns.map((_, index) => index))
  const isRunning = [...runs.values()].some(isUnderWay)
  const hasTexts = hasTemplate(draft)
  const hasNothing =
    !hasTexts && draft.messages.length === 0 && columns.every(({ version }) => version === undefined)
  const add = (): void => {
    const next = nextColumn(columns, connections)
    if (next !== undefined) setColumns([...columns, next])
  }
  // Runs are keyed by column index: when indexes change, they would appear under another column.
  const remove = (position: number): void => {
    forget()
    setColumns(columns.filter((_, index) => index !== position))
  }
  return {
    ...{ prompt, draft, setDraft, variables, recording, setRecording, runs, stop, forget, navigate, change },
    ...{
      listed,
      loadOlder: versions.loadMore,
      datasets,
      dataset,
      rowCount,
      rows,
      repeat,
      columns,
      setColumns,
      run,
      runAll,
      isRunning,
    },
    ...{ hasTexts, hasNothing, hasParameters, isReading, add, remove },
  }
}

/** Checks typed values and reports problems: a partial value would be dropped, and the run would miss it. */
function useCheck() {
  const toasts = useToasts()
  return (what: string, problems: Readonly<Record<string, string | undefined>>): boolean => {
    const [first] = Object.entries(problems)
    if (first !== undefined) toasts.reject(`Correct the ${what} first`, `${first[0]}: ${first[1]}`)
    return first === undefined
  }
}

type BenchState = ReturnType<typeof useBench>

function useBenchKeys({ hasNothing, runAll, isRunning, stop, add }: BenchState, onSave: () => void): void {
  useShortcuts([
    { keys: 'mod+enter', label: 'Run all columns', onPress: () => !hasNothing && runAll() },
    ...(isRunning ? [{ keys: 'escape', label: 'Stop all runs', onPress: () => stop() }] : []),
  ])
  useCommands([
    { label: 'Run all columns', keys: 'mod+enter', run: runAll },
    { label: 'Add column', run: add },
    { label: 'Save draft as a version', run: () => onSave() },
  ])
}

const Heading = ({ prompt }: { readonly prompt: string }) => (
  <span className="flex min-w-0 items-center gap-2">
    <span>Playground</span>
    <span className="text-ink-3">/</span>
    <Link to="/prompts/$slug" params={{ slug: prompt }} className="truncate text-ink-2 hover:underline">
      {prompt}
    </Link>
  </span>
)

interface ActionsProps {
  readonly bench: BenchState
  readonly onSave: () => void
}

function Actions({ bench, onSave }: ActionsProps) {
  const { hasTexts, repeat, change, isRunning, stop, hasNothing, isReading, columns, runAll } = bench
  return (
    <>
      <Button icon={<Save aria-hidden size={14} />} disabled={!hasTexts} onClick={() => onSave()}>
        Save as a version…
      </Button>
      <Select
        label="Runs per column"
        className="w-24"
        value={String(repeat)}
        onChange={(times) => change({ repeat: times === '1' ? undefined : Number(times) })}
        choices={repeats.map((times) => ({ value: String(times), label: `${times} ×` }))}
      />
      {isRunning ? (
        <Button icon={<Square aria-hidden size={14} />} onClick={() => stop()}>
          Stop all
        </Button>
      ) : (
        <Button
          look="primary"
          icon={<Play aria-hidden size={14} />}
          disabled={hasNothing || isReading || columns.length === 0}
          title={hasNothing ? 'Write a text or add a message first.' : undefined}
          onClick={runAll}
        >
          Run all
        </Button>
      )}
    </>
  )
}
