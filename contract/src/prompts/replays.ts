/** Recorded calls of a prompt, run again on another version before it is published. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, AnyJson, FreeObject, Instant, NamedObject, Nullable } from '../interface/shapes.ts'

export const ReplayScore = NamedObject(
  'ReplayScore',
  'The verdict of an evaluator on one side of a replay.',
  {
    evaluatorSlug: Type.String(),
    value: Nullable(
      Type.Unsafe<boolean | number | string>({
        type: ['boolean', 'number', 'string'],
        description: 'The score; null if there is none.',
      }),
    ),
    comment: Type.String({ description: 'The reason.' }),
  },
)
export type ReplayScore = Static<typeof ReplayScore>

const side = {
  version: Nullable(Type.String({ description: 'The prompt version.' })),
  model: Nullable(Type.String({ description: 'The model.' })),
  output: AnyJson('What the model returned.'),
  cost: Nullable(Type.Number({ description: 'US dollars; null when unknown.' })),
  durationMs: Nullable(Type.Number({ description: 'Duration of the call.' })),
  scores: Type.Array(ReplayScore),
}

export const Replay = NamedObject('Replay', 'A recorded call, and the same call on another version.', {
  traceId: Type.String({ format: 'uuid' }),
  logId: Type.String({ description: 'The generation in the trace.' }),
  startTime: Nullable(Instant('When the recorded call started.')),
  variables: FreeObject('Values of the variables.'),
  missingVariables: Type.Array(Type.String(), {
    description: 'Variables of the version for which the call recorded no value; they render as empty.',
  }),
  recorded: Type.Object(side, { description: 'The call as it was recorded.' }),
  replayed: Nullable(
    Type.Object(side, { description: 'The call on the other version; null if it failed (see `problem`).' }),
  ),
  problem: Nullable(Type.String({ description: 'Why the call could not be replayed.' })),
  isSame: Type.Boolean({ description: 'Whether both outputs are equal.' }),
})
export type Replay = Static<typeof Replay>

export const create = operation({
  name: 'replays.create',
  method: 'POST',
  path: '/prompts/{slug}/replays',
  summary:
    'Runs the latest recorded calls of a prompt on another version, and judges both outputs. Nothing is stored and no tag moves. The calls cost what the provider charges.',
  notes: [
    'Calls from experiments and the playground are left out. Messages that the application appended to those of the prompt are appended to those of the version too.',
    'Evaluators judge only the generation, with the recorded output and with the replayed one.',
  ],
  scope: 'manage',
  role: 'editor',
  audit: 'nothing lasting',
  input: Type.Object({
    slug: Type.String({ description: 'Slug of the prompt.' }),
    version: Type.String({ description: 'The version to run them on.' }),
    connectionId: Type.String({ description: 'The connection to run them on.' }),
    model: Absentable(
      Type.String({ minLength: 1, description: 'The model; that of the version when absent.' }),
    ),
    limit: Absentable(
      Type.Integer({ minimum: 1, maximum: 50, description: 'Number of calls; 10 when absent.' }),
    ),
    traceIds: Absentable(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 50,
        description: 'Traces whose calls to run, instead of the latest ones.',
      }),
    ),
    evaluatorSlugs: Absentable(
      Type.Array(Type.String(), {
        maxItems: 10,
        uniqueItems: true,
        description: 'Evaluators that judge both outputs; none when absent.',
      }),
    ),
  }),
  success: 200,
  output: Type.Object({
    replays: Type.Array(Replay, { description: 'The latest call first.' }),
  }),
  errors: [
    'invalid_request',
    'connection_locked',
    'connection_not_found',
    'evaluator_not_found',
    'prompt_not_found',
    'trace_not_found',
    'version_not_found',
  ],
})
