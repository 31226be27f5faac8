/** Interactive runs of a prompt, or of messages, against a model of a connection. */
import { Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, FreeObject, PromptReference } from '../interface/shapes.ts'
import { ModelInput, PromptMessage } from './version-content.ts'

export const run = operation({
  name: 'playground.run',
  method: 'POST',
  path: '/playground/run',
  summary:
    'Runs a prompt version, a draft or messages, and streams the model response as Server-Sent Events.',
  notes: [
    'Each `data` is a JSON object with a `type`: `text` and `reasoning` {text}, `toolCall` {id, name, arguments}, `done` {finishReason, usage, cost, costDetail, durationMs, firstTokenMs, traceId?} or `error` {error}; the last is `done` or `error`.',
    'The run ends when the client disconnects.',
  ],
  scope: 'manage',
  role: 'editor',
  audit: 'recording',
  input: Type.Object({
    connectionId: Type.String({ description: 'The connection to run it on.' }),
    model: Absentable(
      Type.String({ minLength: 1, description: 'The model; that of the prompt version when absent.' }),
    ),
    prompt: Absentable(PromptReference),
    text: Absentable(Type.String({ description: 'A draft to run instead of a prompt: a Jinja template.' })),
    systemText: Absentable(Type.String({ description: 'System text of the draft.' })),
    promptMessages: Absentable(
      Type.Array(PromptMessage, {
        minItems: 1,
        maxItems: 1000,
        description: 'A draft as messages, instead of `text` and `systemText`.',
      }),
    ),
    variables: Absentable(FreeObject('Values of the variables of the prompt or draft, by label.')),
    messages: Absentable(
      Type.Array(FreeObject('A message in the format of OpenAI and Anthropic.'), {
        maxItems: 2000,
        description: 'Messages, appended to those of the prompt or draft.',
      }),
    ),
    parameters: ModelInput.properties.parameters,
    record: Absentable(Type.Boolean({ description: 'Whether the run is recorded as a trace.' })),
    featureSlug: Absentable(Type.String({ description: 'The feature that the trace belongs to.' })),
  }),
  success: 200,
  output: Type.Unsafe<string>({ type: 'string', contentMediaType: 'text/event-stream' }),
  errors: [
    'invalid_request',
    'connection_locked',
    'connection_not_found',
    'prompt_not_found',
    'prompt_not_served',
    'feature_not_found',
  ],
})
