/** Processes of the benchmark, each of which answers one message at a time over IPC. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { hostEnvironment } from '../../fixtures/environment.ts'
import { environment } from '../../server/process-environment.mjs'

export interface Child<Ask, Answer> {
  /** Its message when it was ready. */
  readonly ready: Answer
  readonly readyMs: number
  ask(question: Ask): Promise<Answer>
  stop(): Promise<void>
}

const strippedSources = new URL('../../server/stripped-sources.mjs', import.meta.url).href

/** Starts a script of this folder as `server/start.mjs` starts the service, and waits until it is ready. */
export async function startChild<Ask extends object, Answer>(
  script: string,
  args: readonly string[],
): Promise<Child<Ask, Answer>> {
  const startedAt = performance.now()
  const child = fork(new URL(script, import.meta.url), args, {
    env: { ...hostEnvironment, ...environment },
    execArgv: [
      ...['--import', strippedSources],
      ...(hostEnvironment.BENCH_PROFILE === script ? ['--cpu-prof', '--cpu-prof-dir=profiles'] : []),
    ],
  })
  const ready = await nextMessage<Answer>(child)
  return {
    ready,
    readyMs: performance.now() - startedAt,
    ask(question) {
      child.send(question)
      return nextMessage<Answer>(child)
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
    },
  }
}

function nextMessage<Answer>(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`A process of the benchmark ended (${code}).`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      // Safe: both ends of the conversation are scripts of this folder.
      resolve(message as Answer)
    })
  })
}
