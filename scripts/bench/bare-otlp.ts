/** The least that a receiver of OpenTelemetry in Node must do: take an export, decode it, and drop it. */
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { decodeTraces } from '../../server/src/ingest/otlp/receive/protobuf.ts'

export async function startBareOtlp(): Promise<{ port: number; grpcPort: number; close(): Promise<void> }> {
  const { Server, ServerCredentials } = createRequire(new URL('../../server/src/main.ts', import.meta.url))(
    '@grpc/grpc-js',
  ) as typeof import('@grpc/grpc-js')
  const nothing = Buffer.alloc(0)
  const grpc = new Server()
  const same = (bytes: Buffer): Buffer => bytes
  grpc.addService(
    {
      export: {
        path: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
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
    close: async () => {
      grpc.forceShutdown()
      http.close()
    },
  }
}
