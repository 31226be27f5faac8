/** One connection for consecutive requests, as long as the service keeps it open. It sends arbitrary bytes. */
import { connect, type Socket } from 'node:net'

export interface WireResponse {
  readonly status: number
  readonly text: string
}

export interface KeepAlive {
  /** The response; undefined if the service closed the connection without one. */
  send(wire: Buffer, isHead: boolean): Promise<WireResponse | undefined>
  /** Sends a request, reads the first `bytesMax` bytes of the response, and resets the connection. */
  cut(wire: Buffer, bytesMax: number): Promise<void>
  close(): void
}

const timeoutMs = 120_000

interface KeepAliveOptions {
  /** Ends our half after a request, since a malformed request has no clear end. */
  readonly endsAfterSending?: boolean
}

export function makeKeepAlive(port: number, { endsAfterSending = false }: KeepAliveOptions = {}): KeepAlive {
  let socket: Socket | undefined

  const open = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const opening = connect(port, '127.0.0.1', () => {
        opening.off('error', reject)
        // Resets by the service are detected by the close event.
        opening.on('error', () => {})
        resolve(opening)
      })
      opening.once('error', reject)
    })

  const sendOn = (current: Socket, wire: Buffer, isHead: boolean, bytesMax = Number.POSITIVE_INFINITY) =>
    new Promise<WireResponse | undefined>((resolve, reject) => {
      let bytes = Buffer.alloc(0)
      const timer = setTimeout(() => {
        current.destroy()
        reject(
          new Error(
            `No response within ${timeoutMs / 1000} s to ${JSON.stringify(wire.toString('latin1', 0, 2000))}`,
          ),
        )
      }, timeoutMs)
      const end = (response: WireResponse | undefined): void => {
        clearTimeout(timer)
        current.off('data', onData)
        current.off('close', onClose)
        resolve(response)
      }
      const onData = (piece: Buffer): void => {
        bytes = Buffer.concat([bytes, piece])
        if (bytes.length >= bytesMax) {
          current.resetAndDestroy()
          return
        }
        const response = readResponse(bytes, isHead)
        if (response === undefined) return
        if (response.isLast) {
          current.destroy()
          socket = undefined
        }
        end(response)
      }
      const onClose = (): void => {
        socket = undefined
        end(undefined)
      }
      current.on('data', onData)
      current.once('close', onClose)
      if (endsAfterSending) current.end(wire)
      else current.write(wire)
    })

  return {
    async send(wire, isHead) {
      const isReused = socket !== undefined
      socket ??= await open()
      const response = await sendOn(socket, wire, isHead)
      if (response !== undefined || !isReused) return response
      // The service may close an idle connection at the moment it is used.
      socket = await open()
      return sendOn(socket, wire, isHead)
    },
    async cut(wire, bytesMax) {
      await sendOn(await open(), wire, false, bytesMax)
    },
    close() {
      socket?.destroy()
    },
  }
}

/** The response, once it is complete. */
function readResponse(
  bytes: Buffer,
  isHead: boolean,
): (WireResponse & { readonly isLast: boolean }) | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end)
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
  if (status === 100) return readResponse(bytes.subarray(end + 4), isHead)
  const isLast = /\r\nconnection: close/i.test(head)
  const body = bytes.subarray(end + 4)
  if (isHead || status === 204 || status === 304) return { status, text: '', isLast }
  if (/\r\ntransfer-encoding: chunked/i.test(head)) {
    const isWhole = body.subarray(-7).includes('\r\n0\r\n\r\n') || body.equals(Buffer.from('0\r\n\r\n'))
    return isWhole ? { status, text: body.toString(), isLast } : undefined
  }
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  return body.length < length ? undefined : { status, text: body.toString('utf8', 0, length), isLast }
}
