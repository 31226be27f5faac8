import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'

/** The port of OpenTelemetry over gRPC, once it listens. */
export type GrpcPort = () => number | undefined

export const get =
  (grpcPort: GrpcPort): Verb<typeof operations.addresses.get> =>
  async (_input, { publicUrl }) => {
    const port = grpcPort()
    return {
      url: publicUrl,
      otlpHttp: publicUrl,
      otlpGrpc: port === undefined ? null : `http://${new URL(publicUrl).hostname}:${port}`,
    }
  }
