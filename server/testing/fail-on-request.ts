/** A process with unhandled failures in its requests and in its own work; for `uncaught.test.ts`. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { pino } from 'pino'
import { requestScope } from '../src/process/request-scope.ts'
import { handleUncaught } from '../src/process/uncaught.ts'

const logger = pino({ base: null }, pino.destination({ dest: 2, sync: true }))
handleUncaught({ logger, stop: () => process.exit(7) })

const fail = (problem: string): never => {
  throw new TypeError(problem)
}

const server = createServer((request, response) => {
  const scope = {
    requestId: request.url ?? '',
    unreadable: new Map<string, number>(),
    isOver: false,
    fail: () => response.writeHead(500).end('failed'),
  }
  requestScope.run(scope, () => {
    switch (request.url) {
      case '/decompressor':
        return void request.pipe(createGunzip()).resume()
      case '/transform':
        return void request.pipe(new Transform({ transform: () => fail('in a stream') }))
      case '/timer':
        return void setTimeout(() => fail('in a timer of a request'))
      case '/promise':
        return void Promise.reject(new TypeError('in a promise of a request'))
      case '/outside':
        response.end('to come')
        scope.isOver = true
        return void setTimeout(() => fail('after the request'))
      default:
        return void response.end('alive')
    }
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
