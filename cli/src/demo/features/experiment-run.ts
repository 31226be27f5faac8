/** Cases of experiments: versions of a prompt over the same rows of a dataset, each a trace with its scores. */
import type { DatasetRow } from '@plumbline/sdk'
import type { DemoDataset } from '../datasets.ts'
import { versionOf } from '../material/prompts.ts'
import { type DemoExperiment, experiments } from '../material/workspace.ts'
import { startRun } from '../run.ts'
import type { PlannedRecord, Scene } from '../scene.ts'

const rowsPerRun = 8

/** A session of all experiments on one dataset over the same rows, so that they can be compared. */
export const experimentRun = (datasets: readonly DemoDataset[]) =>
  function* (scene: Scene): Generator<PlannedRecord> {
    const { dataset } = scene.random.pick(experiments)
    const rows = datasets.find(({ slug }) => slug === dataset)?.rows ?? []
    if (rows.length === 0) return
    const first = scene.random.int(0, rows.length - 1)
    for (const experiment of experiments) {
      if (experiment.dataset === dataset) yield* runOver(scene, experiment, rows, first)
    }
  }

/** Its time is determined by the experiment, not by the rhythm of the day. */
function* runOver(
  scene: Scene,
  experiment: DemoExperiment,
  rows: readonly DatasetRow[],
  first: number,
): Generator<PlannedRecord> {
  const { random, calendar } = scene
  const id = scene.experiments.get(experiment.name)
  if (id === undefined) return
  const { startMs, endMs } = calendar
  let clockMs = startMs + experiment.ranAt * (endMs - startMs) + random.float() * 600_000
  for (let index = 0; index < Math.min(rowsPerRun, rows.length); index++) {
    const row = rows[(first + index) % rows.length]!
    const run = startRun(scene, clockMs)
    const isRight = random.chance(experiment.quality)
    const output = isRight ? (row.idealOutput ?? '') : truncateIdeal(row)
    const { values } = row
    const question = String(values.question ?? values.document ?? values.text ?? '')
    run.generate({
      name: experiment.prompt,
      prompt: experiment.prompt,
      version: versionOf(experiment.prompt, experiment.version),
      messages: 'rendered',
      variables: { source_language: 'English', pages: 1, ...values },
      output,
      idealOutput: row.idealOutput,
    })
    yield {
      type: 'trace',
      scores: [
        { name: 'correct', value: isRight },
        {
          name: 'similarity',
          value: Number((isRight ? 0.9 + random.float() * 0.1 : 0.35 + random.float() * 0.4).toFixed(3)),
        },
      ],
      body: {
        name: experiment.name,
        featureSlug: experiment.featureSlug,
        experiment: { id },
        input: question,
        output,
        idealOutput: row.idealOutput,
        startTime: run.startTime,
        endTime: run.time(),
        metadata: {
          demo: scene.mark,
          env: 'experiment',
          dataset: experiment.dataset,
          row: row.name ?? `${(first + index) % rows.length}`,
        },
        logs: run.logs,
      },
    }
    clockMs = Date.parse(run.time())
  }
}

/** A wrong output: the first part of the ideal one. */
const truncateIdeal = ({ idealOutput = '' }: DatasetRow): string => {
  const letters = [...idealOutput]
  return `${letters.slice(0, Math.ceil(letters.length * 0.45)).join('')} …`
}
