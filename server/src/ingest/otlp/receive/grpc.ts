/** OTLP over gRPC. */
import type { Metadata, Server, ServerUnaryCall, ServiceDefinition, sendUnaryData } from '@grpc/grpc-js'
import { ServiceError } from '@plumbline/contract'
import type { Logger } from 'pino'
import { BadConfiguration } from '../../../config.ts'
import { bodyBytesMax } from '../../../requests/body-limits.ts'
import { expectedFailure } from '../../../requests/expected-failure.ts'
import type { Caller } from '../../../requests/verb.ts'
import { encodeAnswer, type Signal } from './protobuf.ts'
import type { Receiver } from './receiver.ts'

export interface GrpcServer {
  /** The port it listens on. */
  readonly port: number
  /** Accepts no new calls and finishes the current ones. */
  close(): Promise<void>
}

interface GrpcParts {
  readonly receiver: Receiver
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  readonly logger: Logger
  readonly now: () => Date
}

const services: readonly [signal: Signal, path: string][] = [
  ['traces', '/opentelemetry.proto.collector.trace.v1.TraceService/Export'],
  ['logs', '/opentelemetry.proto.collector.logs.v1.LogsService/Export'],
  ['metrics', '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export'],
]

/** How long calls in progress may take when the service stops. */
const closeTimeoutMs = 5_000

/** Listens; throws `BadConfiguration` if the port is not available. */
export async function listenGrpc({ receiver, host, port, logger, now }: GrpcParts): Promise<GrpcServer> {
  // Loaded on demand: a service that does not listen, as in most tests, does not need it.
  const { Server: GrpcJsServer, ServerCredentials, status } = await import('@grpc/grpc-js')
  const server = new GrpcJsServer({ 'grpc.max_receive_message_length': bodyBytesMax })

  const respond = async (signal: Signal, call: ServerUnaryCall<Buffer, Buffer>): Promise<Buffer> => {
    const receivedAt = now()
    let caller: Caller | undefined
    try {
      caller = await receiver.admit(credentialsIn(call.metadata), receivedAt)
      const response = await receiver.take(
        { signal, encoding: 'protobuf', body: call.request },
        caller,
        receivedAt,
      )
      return encodeAnswer(signal, response)
    } catch (error) {
      const failure =
        expectedFailure(error) ??
        new ServiceError('internal', { requestId: 'of OTLP/gRPC' }, { cause: error })
      if (caller !== undefined && signal !== 'metrics') receiver.refuse(caller, failure, receivedAt)
      if (failure.code === 'internal') logger.error({ err: error, signal }, 'an export failed')
      throw failure
    }
  }

  for (const [signal, path] of services) {
    server.addService(serviceAt(path), {
      export: (call: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>) => {
        respond(signal, call).then(
          (bytes) => callback(null, bytes),
          (failure: ServiceError) => callback({ code: codeOf(failure, status), details: failure.message }),
        )
      },
    })
  }
  const boundPort = await bind(
    server,
    `${host.includes(':') ? `[${host}]` : host}:${port}`,
    ServerCredentials.createInsecure(),
  )
  return { port: boundPort, close: () => close(server) }
}

/** Messages stay bytes: the code that parses them is the same as for the HTTP port. */
const serviceAt = (path: string): ServiceDefinition => ({
  export: {
    path,
    originalName: 'Export',
    requestStream: false,
    responseStream: false,
    requestDeserialize: (bytes: Buffer) => bytes,
    requestSerialize: (bytes: Buffer) => bytes,
    responseDeserialize: (bytes: Buffer) => bytes,
    responseSerialize: (bytes: Buffer) => bytes,
  },
})

function credentialsIn(metadata: Metadata): {
  authorization: string | undefined
  apiKey: string | undefined
} {
  const textOf = (name: string): string | undefined => {
    const [value] = metadata.get(name)
    return typeof value === 'string' ? value : undefined
  }
  return { authorization: textOf('authorization'), apiKey: textOf('x-api-key') }
}

type Codes = typeof import('@grpc/grpc-js')['status']

/** Of these codes, exporters retry UNAVAILABLE and RESOURCE_EXHAUSTED only. */
function codeOf({ code }: ServiceError, codes: Codes): number {
  switch (code) {
    case 'unauthorized':
      return codes.UNAUTHENTICATED
    case 'forbidden':
      return codes.PERMISSION_DENIED
    case 'rate_limited':
      return codes.RESOURCE_EXHAUSTED
    case 'unavailable':
    case 'store_full':
      return codes.UNAVAILABLE
    case 'internal':
      return codes.INTERNAL
    default:
      return codes.INVALID_ARGUMENT
  }
}

function bind(
  server: Server,
  address: string,
  credentials: Parameters<Server['bindAsync']>[1],
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => {
      if (error === null) return resolve(port)
      reject(
        new BadConfiguration(`OTLP_GRPC_PORT: cannot listen on ${address}: ${error.message}.`, {
          cause: error,
        }),
      )
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.forceShutdown()
      resolve()
    }, closeTimeoutMs)
    server.tryShutdown(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
