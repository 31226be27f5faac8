/**
 * A case as a trace, by the way of OpenTelemetry: its span has an id that follows from the case, so that a case which
 * ran twice, on whichever nodes, is one trace; what an endpoint records under the same trace becomes part of it.
 */
import type { BegunCase, Experiment, ExperimentRun } from '@plumbline/storage/control'
import { recordSpans } from '../otlp/accept.ts'
import type { Workspace } from '../workspace.ts'
import type { Answer, Generation } from './answer.ts'
import type { CaseIds } from './case-ids.ts'

/** A case with what it was answered. */
export interface RecordedCase {
  readonly run: ExperimentRun
  readonly experiment: Experiment
  readonly of: BegunCase
  readonly values: Readonly<Record<string, unknown>>
  readonly answer: Answer
  readonly ids: CaseIds
}

/** Resolves when it is durable; rejects with `unavailable` where it cannot be taken now. */
export async function recordCase(recorded: RecordedCase, workspace: Workspace, now: Date): Promise<void> {
  const { run } = recorded
  await recordSpans(
    {
      signal: 'traces',
      encoding: 'json',
      body: Buffer.from(JSON.stringify(exportOf(recorded))),
      caller: { id: run.createdBy, workspaceId: run.workspaceId },
      receivedAt: now,
    },
    workspace,
  )
}

function exportOf(recorded: RecordedCase): object {
  const { answer } = recorded
  const spans = [
    rootSpan(recorded),
    ...(answer.generation === undefined ? [] : [generationSpan(recorded, answer.generation)]),
  ]
  const resource = { attributes: attributes({ 'basalt.sdk.name': 'plumbline', 'service.name': 'plumbline' }) }
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'plumbline.experiments' }, spans }] }] }
}

function rootSpan({ run, experiment, of, values, answer, ids }: RecordedCase): object {
  const own = of.metadata === undefined ? {} : (JSON.parse(of.metadata) as object)
  const metadata = {
    ...own,
    dataset: run.datasetSlug,
    datasetRowId: of.rowId,
    row: of.position,
    ...(of.name === undefined ? {} : { rowName: of.name }),
    ...(run.repetitions === 1 ? {} : { repetition: of.repetition }),
    runId: run.id,
  }
  return {
    ...spanOf(answer, ids.otelTraceId),
    spanId: ids.spanId,
    name: experiment.name,
    attributes: attributes({
      'basalt.root': true,
      'basalt.span.kind': 'basalt_trace',
      'basalt.span.feature_slug': experiment.featureSlug,
      'basalt.experiment.id': experiment.id,
      'basalt.span.evaluators': JSON.stringify(run.evaluatorSlugs),
      'basalt.span.input': JSON.stringify(values),
      'basalt.span.output': JSON.stringify(answer.output),
      ...(of.idealOutput === undefined ? {} : { 'basalt.span.ideal_output': JSON.stringify(of.idealOutput) }),
      'basalt.metadata': JSON.stringify(metadata),
    }),
  }
}

function generationSpan({ values, answer, ids }: RecordedCase, generation: Generation): object {
  const { model, provider, prompt, messages, usage } = generation
  return {
    ...spanOf(answer, ids.otelTraceId),
    spanId: ids.generationSpanId,
    parentSpanId: ids.spanId,
    name: `chat ${model}`,
    attributes: attributes({
      'basalt.span.kind': 'generation',
      'basalt.prompt.slug': prompt.slug,
      'basalt.prompt.version': prompt.version,
      'basalt.prompt.model.model': model,
      'basalt.prompt.model.provider': provider,
      'basalt.span.variables': JSON.stringify(values),
      'basalt.span.input': JSON.stringify(messages),
      'basalt.span.output': JSON.stringify(answer.output),
      ...(usage === null
        ? {}
        : {
            'gen_ai.usage.input_tokens': usage.inputTokens,
            'gen_ai.usage.output_tokens': usage.outputTokens,
            'gen_ai.usage.cache_read.input_tokens': usage.cacheRead,
            'gen_ai.usage.cache_write.input_tokens': usage.cacheWrite,
            'gen_ai.usage.reasoning.output_tokens': usage.reasoning,
          }),
    }),
  }
}

const spanOf = ({ startedAt, endedAt }: Answer, traceId: string) => ({
  traceId,
  kind: 'SPAN_KIND_INTERNAL',
  startTimeUnixNano: `${startedAt.getTime()}000000`,
  endTimeUnixNano: `${endedAt.getTime()}000000`,
})

const attributes = (of: Readonly<Record<string, string | number | boolean>>): object[] =>
  Object.entries(of).map(([key, value]) => ({
    key,
    value:
      typeof value === 'string'
        ? { stringValue: value }
        : typeof value === 'boolean'
          ? { boolValue: value }
          : { intValue: String(value) },
  }))
