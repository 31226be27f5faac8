/**
 * Records a case as an OpenTelemetry trace. Its span id is derived from the case, so that a case that ran twice, on any
 * nodes, is one trace, and spans that an endpoint records under the same trace id become part of it.
 */
import type { ClaimedCase, Experiment, ExperimentRun } from '@plumbline/storage/control'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import { recordSpans } from '../../ingest/otlp/receive/accept.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { CaseIds } from './case-ids.ts'
import type { Generation, TargetResponse } from './target-response.ts'

/** A case and the response of its target. */
export interface CaseRecording {
  readonly run: ExperimentRun
  readonly experiment: Experiment
  readonly experimentCase: ClaimedCase
  readonly values: Readonly<Record<string, unknown>>
  readonly response: TargetResponse
  readonly ids: CaseIds
}

/** Resolves when the trace is durable; rejects with `unavailable` if it cannot be recorded now. */
export async function recordCase(recording: CaseRecording, workspace: Workspace, now: Date): Promise<void> {
  const { run } = recording
  await recordSpans(
    {
      signal: 'traces',
      encoding: 'json',
      body: Buffer.from(JSON.stringify(exportOf(recording))),
      caller: { id: run.createdBy, workspaceId: run.workspaceId },
      receivedAt: now,
    },
    workspace,
  )
}

function exportOf(recording: CaseRecording): object {
  const { response } = recording
  const spans = [
    rootSpan(recording),
    ...(response.generation === undefined ? [] : [generationSpan(recording, response.generation)]),
  ]
  const resource = {
    attributes: toAttributes({ 'basalt.sdk.name': 'plumbline', 'service.name': 'plumbline' }),
  }
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'plumbline.experiments' }, spans }] }] }
}

function rootSpan({ run, experiment, experimentCase, values, response, ids }: CaseRecording): object {
  const rowMetadata =
    experimentCase.metadata === undefined ? {} : (parseJsonText(experimentCase.metadata) as object)
  const metadata = {
    ...rowMetadata,
    dataset: run.datasetSlug,
    datasetRowId: experimentCase.rowId,
    row: experimentCase.position,
    ...(experimentCase.name === undefined ? {} : { rowName: experimentCase.name }),
    ...(run.repetitions === 1 ? {} : { repetition: experimentCase.repetition }),
    runId: run.id,
  }
  return {
    ...spanOf(response, ids.otelTraceId),
    spanId: ids.spanId,
    name: experiment.name,
    attributes: toAttributes({
      'basalt.root': true,
      'basalt.span.kind': 'basalt_trace',
      'basalt.span.feature_slug': experiment.featureSlug,
      'basalt.experiment.id': experiment.id,
      'basalt.span.evaluators': JSON.stringify(run.evaluatorSlugs),
      'basalt.span.input': JSON.stringify(values),
      'basalt.span.output': JSON.stringify(response.output),
      ...(experimentCase.idealOutput === undefined
        ? {}
        : { 'basalt.span.ideal_output': JSON.stringify(experimentCase.idealOutput) }),
      'basalt.metadata': JSON.stringify(metadata),
    }),
  }
}

function generationSpan({ values, response, ids }: CaseRecording, generation: Generation): object {
  const { model, provider, prompt, messages, usage } = generation
  return {
    ...spanOf(response, ids.otelTraceId),
    spanId: ids.generationSpanId,
    parentSpanId: ids.spanId,
    name: `chat ${model}`,
    attributes: toAttributes({
      'basalt.span.kind': 'generation',
      'basalt.prompt.slug': prompt.slug,
      'basalt.prompt.version': prompt.version,
      'basalt.prompt.model.model': model,
      'basalt.prompt.model.provider': provider,
      'basalt.span.variables': JSON.stringify(values),
      'basalt.span.input': JSON.stringify(messages),
      'basalt.span.output': JSON.stringify(response.output),
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

const spanOf = ({ startedAt, endedAt }: TargetResponse, traceId: string) => ({
  traceId,
  kind: 'SPAN_KIND_INTERNAL',
  startTimeUnixNano: `${startedAt.getTime()}000000`,
  endTimeUnixNano: `${endedAt.getTime()}000000`,
})

const toAttributes = (values: Readonly<Record<string, string | number | boolean>>): object[] =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value:
      typeof value === 'string'
        ? { stringValue: value }
        : typeof value === 'boolean'
          ? { boolValue: value }
          : { intValue: String(value) },
  }))
