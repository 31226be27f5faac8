/**
 * A minimal OpenTelemetry receiver in Node: accepts an export, decodes it and drops it. For gRPC it uses the server of
 * @grpc/grpc-js, the usual choice, and the service's own.
 */
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { serveCalls } from '../../server/src/ingest/otlp/receive/grpc-calls.ts'
import { decodeTraces } from '../../server/src/ingest/otlp/receive/protobuf.ts'
import { bodyBytesMax } from '../../server/src/requests/body-limits.ts'
import { makeLargeBodies } from '../../server/src/requests/large-bodies.ts'

interface BareOtlp {
  readonly port: number
  /** The server of @grpc/grpc-js. */
  readonly grpcPort: number
  /** The service's own gRPC server. */
  readonly ownGrpcPort: number
  close(): Promise<void>
}

const exportPath = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'

export async function startBareOtlp(): Promise<BareOtlp> {
  const { Server, ServerCredentials } = createRequire(new URL('../../server/src/main.ts', import.meta.url))(
    '@grpc/grpc-js',
  ) as typeof import('@grpc/grpc-js')
  const nothing = Buffer.alloc(0)
  const grpc = new Server()
  const same = (bytes: Buffer): Buffer => bytes
  grpc.addService(
    {
      export: {
        path: exportPath,
        requestStream: false,
        responseStream: false,
        requestDeserialize: same,
        requestSerialize: same,
        responseDeserialize: same,
        responseSerialize: same,
      },
    },
    {
      export: (call: { request: Buffer }, onDone: (error: null, answer: Buffer) => void) => {
        decodeTraces(call.request)
        onDone(null, nothing)
      },
    },
  )
  const grpcPort = await new Promise<number>((resolve, reject) =>
    grpc.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    ),
  )
  const dropExport = async (message: Buffer): Promise<Buffer> => {
    decodeTraces(message)
    return nothing
  }
  const ownGrpc = await serveCalls({
    methods: new Map([[exportPath, async () => dropExport]]),
    messageBytesMax: bodyBytesMax,
    largeBodies: makeLargeBodies(),
    connectionsMax: 1000,
    host: '127.0.0.1',
    port: 0,
    closeTimeoutMs: 0,
    logger: pino({ level: 'silent' }),
  })
  const http = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      decodeTraces(Buffer.concat(pieces))
      response.writeHead(200, { 'content-type': 'application/x-protobuf', 'content-length': 0 })
      response.end()
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    port: (http.address() as AddressInfo).port,
    grpcPort,
    ownGrpcPort: ownGrpc.port,
    close: async () => {
      grpc.forceShutdown()
      await ownGrpc.close()
      http.close()
    },
  }
}
