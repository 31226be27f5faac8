/**
 * A client may pipeline requests without waiting for responses, and Node starts all of them at once: a packet can hold
 * thousands. Responses go out in order anyway, so each request waits until the earlier ones on its connection are answered.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Clients that pipeline send about ten at a time. */
const waitingMax = 100

/** Installs itself before the listeners that answer requests. */
export function answerInOrder(server: Server): void {
  const listeners = server.listeners('request') as Listener[]
  const waiting = new WeakMap<Socket, number>()
  const answer: Listener = (request, response) => {
    for (const listener of listeners) listener.call(server, request, response)
  }
  server.removeAllListeners('request').on('request', (request: IncomingMessage, response: ServerResponse) => {
    // The response has the socket if no earlier response is pending.
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
