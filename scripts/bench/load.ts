/**
 * The load generator, as a separate process: keep-alive sockets and pre-encoded requests, without pipelining. It needs
 * a fraction of the CPU of a full client, which matters when it shares two cores with the server.
 */
import { connect, type Socket } from 'node:net'

export interface LoadOrder {
  readonly port: number
  /** Complete requests, sent in rotation. */
  readonly requests: readonly string[]
  readonly connections: number
  readonly seconds: number
  /** Requests offered per second, regardless of responses; without it each connection waits for its response. */
  readonly perSecond?: number
}

export interface LoadFigures {
  readonly perSecond: number
  readonly answered: number
  readonly failed: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** CPU of this process per request. */
  readonly cpuUs: number
}

async function run({ port, requests, connections, seconds, perSecond }: LoadOrder): Promise<LoadFigures> {
  const wires = requests.map((request) => Buffer.from(request))
  const latenciesMs: number[] = []
  let failed = 0
  let sentCount = 0
  const idle: Connection[] = []
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000

  const send = (connection: Connection, dueAt: number, next: (connection: Connection) => void): void => {
    connection.onAnswer = (isOk) => {
      latenciesMs.push(performance.now() - dueAt)
      if (!isOk) failed += 1
      next(connection)
    }
    connection.socket.write(wires[sentCount++ % wires.length] as Buffer)
  }

  if (perSecond === undefined) {
    await Promise.all(
      sockets.map(
        (connection) =>
          new Promise<void>((resolve) => {
            const sendNext = (freeConnection: Connection): void => {
              const now = performance.now()
              if (now >= endsAt) resolve()
              else send(freeConnection, now, sendNext)
            }
            sendNext(connection)
          }),
      ),
    )
  } else {
    idle.push(...sockets)
    const due: number[] = []
    let offered = 0
    const total = seconds * perSecond
    await new Promise<void>((resolve) => {
      const free = (connection: Connection): void => {
        const dueAt = due.shift()
        if (dueAt !== undefined) send(connection, dueAt, free)
        else idle.push(connection)
        if (offered === total && idle.length === connections) resolve()
      }
      const timer = setInterval(() => {
        const now = performance.now()
        for (; offered < total; offered++) {
          const dueAt = startedAt + (offered * 1000) / perSecond
          if (dueAt > now) return
          const connection = idle.pop()
          if (connection === undefined) due.push(dueAt)
          else send(connection, dueAt, free)
        }
        clearInterval(timer)
      }, 1)
    })
  }

  const elapsedSeconds = (performance.now() - startedAt) / 1000
  const cpu = process.cpuUsage(cpuBefore)
  for (const { socket } of sockets) socket.destroy()
  latenciesMs.sort((a, b) => a - b)
  return {
    perSecond: latenciesMs.length / elapsedSeconds,
    answered: latenciesMs.length,
    failed,
    p50Ms: latenciesMs[Math.floor(latenciesMs.length * 0.5)] ?? Number.NaN,
    p99Ms: latenciesMs[Math.floor(latenciesMs.length * 0.99)] ?? Number.NaN,
    cpuUs: (cpu.user + cpu.system) / latenciesMs.length,
  }
}

interface Connection {
  readonly socket: Socket
  onAnswer: (isOk: boolean) => void
}

/** A connection that reports each complete response; all responses in the benchmark have a Content-Length. */
function open(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const connection: Connection = { socket, onAnswer: () => {} }
    let pieces: Buffer[] = []
    let missing = 0
    socket.on('data', (piece: Buffer) => {
      if (missing === 0) {
        const bytes = pieces.length === 0 ? piece : Buffer.concat([...pieces, piece])
        const headEnd = bytes.indexOf('\r\n\r\n')
        if (headEnd < 0) {
          pieces = [bytes]
          return
        }
        pieces = []
        const head = bytes.toString('latin1', 0, headEnd)
        isOk = head.startsWith('2', 9)
        missing = headEnd + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]) - bytes.length
      } else missing -= piece.length
      if (missing === 0) connection.onAnswer(isOk)
    })
    let isOk = false
    socket.once('connect', () => resolve(connection))
    socket.once('error', reject)
    // No response would arrive on it, and the round would never end.
    socket.once('end', () => {
      throw new Error('The server closed a connection.')
    })
  })
}

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (figures) => process.send?.(figures),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      process.exit(1)
    },
  )
})
process.on('SIGTERM', () => process.exit(0))
process.send?.({})
