/**
 * A client may send requests without waiting for responses, and Node begins all of them: a packet can hold thousands.
 * Responses go out in order anyway, so each request waits until those before it on its connection are answered.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Clients that pipeline send ten or so at a time. */
const waitingMax = 100

/** Puts itself before the listeners that answer requests. */
export function answerInOrder(server: Server): void {
  const listeners = server.listeners('request') as Listener[]
  const waiting = new WeakMap<Socket, number>()
  const answer: Listener = (request, response) => {
    for (const listener of listeners) listener.call(server, request, response)
  }
  server.removeAllListeners('request').on('request', (request: IncomingMessage, response: ServerResponse) => {
    // It has the socket where no earlier response does.
    if (response.socket !== null) return answer(request, response)
    const { socket } = request
    const count = (waiting.get(socket) ?? 0) + 1
    if (count > waitingMax) return void socket.destroy()
    waiting.set(socket, count)
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
      answer(request, response)
    })
  })
}
