/** OTLP over gRPC. */
import type { IncomingHttpHeaders } from 'node:http2'
import { ServiceError } from '@plumbline/contract'
import type { Logger } from 'pino'
import { BadConfiguration } from '../../../config.ts'
import { bodyBytesMax } from '../../../requests/body-limits.ts'
import { expectedFailure } from '../../../requests/expected-failure.ts'
import type { LargeBodies } from '../../../requests/large-bodies.ts'
import { retryAfterSeconds } from '../../../requests/retry-after.ts'
import { type CallServer, type Method, serveCalls } from './grpc-calls.ts'
import { type GrpcStatus, grpcStatus, StatusError } from './grpc-status.ts'
import { encodeAnswer, encodeRetryStatus, type Signal } from './protobuf.ts'
import type { Credentials, Receiver } from './receiver.ts'

interface GrpcParts {
  readonly receiver: Receiver
  readonly largeBodies: LargeBodies
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  readonly connectionsMax: number
  readonly logger: Logger
  readonly now: () => Date
}

const paths: readonly [signal: Signal, path: string][] = [
  ['traces', '/opentelemetry.proto.collector.trace.v1.TraceService/Export'],
  ['logs', '/opentelemetry.proto.collector.logs.v1.LogsService/Export'],
  ['metrics', '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export'],
]

/** How long calls in progress may take when the service stops. */
const closeTimeoutMs = 5_000

/** Listens; throws `BadConfiguration` if the port is not available. */
export async function listenGrpc({
  receiver,
  largeBodies,
  host,
  port,
  connectionsMax,
  logger,
  now,
}: GrpcParts): Promise<CallServer> {
  const failureOf = (error: unknown, signal: Signal): ServiceError => {
    const failure =
      expectedFailure(error) ?? new ServiceError('internal', { requestId: 'of OTLP/gRPC' }, { cause: error })
    if (failure.code === 'internal') logger.error({ err: error, signal }, 'an export failed')
    return failure
  }
  const makeMethod =
    (signal: Signal): Method =>
    async (headers) => {
      const caller = await receiver.admit(credentialsIn(headers), now()).catch((error: unknown) => {
        throw statusErrorOf(failureOf(error, signal))
      })
      return async (body) => {
        const receivedAt = now()
        try {
          const response = await receiver.take({ signal, encoding: 'protobuf', body }, caller, receivedAt)
          return encodeAnswer(signal, response)
        } catch (error) {
          const failure = failureOf(error, signal)
          if (signal !== 'metrics') receiver.refuse(caller, failure, receivedAt)
          throw statusErrorOf(failure)
        }
      }
    }
  const methods = new Map(paths.map(([signal, path]) => [path, makeMethod(signal)]))
  try {
    const limits = { messageBytesMax: bodyBytesMax, largeBodies, connectionsMax, closeTimeoutMs }
    return await serveCalls({ methods, host, port, ...limits, logger })
  } catch (error) {
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
    throw new BadConfiguration(
      `OTLP_GRPC_PORT: cannot listen on ${address}: ${error instanceof Error ? error.message : error}.`,
      { cause: error },
    )
  }
}

function statusErrorOf(failure: ServiceError): StatusError {
  const status = statusOf(failure)
  const seconds = retryAfterSeconds(failure)
  const details = seconds === undefined ? undefined : encodeRetryStatus(status, failure.message, seconds)
  return new StatusError(status, failure.message, { cause: failure, details })
}

function credentialsIn(headers: IncomingHttpHeaders): Credentials {
  const apiKey = headers['x-api-key']
  return { authorization: headers.authorization, apiKey: typeof apiKey === 'string' ? apiKey : undefined }
}

/** Maps an HTTP status. Exporters retry UNAVAILABLE, and RESOURCE_EXHAUSTED if its details say when. */
function statusOf({ status }: ServiceError): GrpcStatus {
  switch (status) {
    case 401:
      return grpcStatus.unauthenticated
    case 403:
      return grpcStatus.permissionDenied
    case 413:
    case 429:
      return grpcStatus.resourceExhausted
    case 500:
      return grpcStatus.internal
    case 503:
      return grpcStatus.unavailable
    default:
      return grpcStatus.invalidArgument
  }
}
