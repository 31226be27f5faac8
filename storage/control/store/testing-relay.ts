/** A relay in front of a PostgreSQL server; while it hangs, it accepts connections and forwards nothing. */
import assert from 'node:assert/strict'
import { connect, createServer, type Socket } from 'node:net'

export async function startRelay(target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let connectionCount = 0
  let isHanging = false
  let lastText: string | undefined
  const hang = (): void => {
    isHanging = true
    for (const socket of sockets) socket.pause()
  }
  const server = createServer((socket) => {
    connectionCount++
    const upstream = connect(Number(port), hostname)
    const ends = [socket, upstream]
    for (const [end, other] of [ends, ends.toReversed()] as [Socket, Socket][]) {
      sockets.add(end)
      end.on('data', (data) => {
        if (lastText === undefined || !data.includes(lastText)) return other.write(data)
        lastText = undefined
        hang()
      })
      end.on('error', () => undefined)
      end.on('close', () => {
        sockets.delete(end)
        other.destroy()
      })
    }
    if (isHanging) for (const end of ends) end.pause()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address !== null && typeof address !== 'string')
  const url = new URL(target)
  url.port = String(address.port)
  return {
    url: url.href,
    connectionCount: () => connectionCount,
    hang,
    /** Hangs once it receives this text, which is not forwarded. */
    hangAt: (text: string) => {
      lastText = text
    },
    resume: () => {
      isHanging = false
      for (const socket of sockets) socket.resume()
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
