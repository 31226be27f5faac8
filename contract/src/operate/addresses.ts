/** The URLs at which applications reach the service. */
import { Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Nullable } from '../interface/shapes.ts'

export const get = operation({
  name: 'addresses.get',
  method: 'GET',
  path: '/addresses',
  summary:
    'Returns the URLs to which applications send their records: the interface, and OpenTelemetry over HTTP and over gRPC.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({
    url: Type.String({ format: 'uri', description: 'URL of the interface.' }),
    otlpHttp: Type.String({
      format: 'uri',
      description:
        'OpenTelemetry over HTTP, as a value for `OTEL_EXPORTER_OTLP_ENDPOINT`: `/v1/traces` is below it.',
    }),
    otlpGrpc: Nullable(
      Type.String({
        format: 'uri',
        description:
          'OpenTelemetry over gRPC, with the port on which the service listens. Null if it does not listen.',
      }),
    ),
  }),
  errors: [],
})
