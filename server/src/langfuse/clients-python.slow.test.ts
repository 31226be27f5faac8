/**
 * Langfuse's own Python SDKs, unchanged, in virtual environments outside the checkout (`PLUMBLINE_CAPTURES_FOLDER`). If
 * PyPI does not respond, it prints NOT RUN.
 */
// One control plane is enough: the data that the SDKs write and read is tested on both elsewhere.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { hostEnvironment } from '../../../fixtures/environment.ts'
import {
  checkDataset,
  checkPrompts,
  checkTrace,
  type PrintedResult,
  runApplication,
} from '../../testing/langfuse-clients.ts'
import { startTestApp } from '../../testing/test-app.ts'

const { newWorkspace, listen } = await startTestApp()
const url = await listen()
const versions = ['2.60.10', '3.15.0', '4.18.0', '5.0.4']

describe("Langfuse's Python SDK", () => {
  for (const version of versions) {
    const isBatch = version.startsWith('2.')
    it(`${version}: gets its prompts and datasets, and its recordings become a trace with its scores`, async (test) => {
      const program = install(version)
      if (program === undefined) return test.diagnostic(`NOT RUN: PyPI has not given langfuse ${version}.`)
      const workspace = await newWorkspace()
      const file = isBatch ? 'batch_client.py' : 'otel_client.py'
      const printed = await runApplication(
        { program, file, parameters: isBatch ? ['datasets', 'reads'] : ['datasets'] },
        { url, workspace },
      )
      assert.equal(printed.auth, true)
      checkPrompts(printed, { isOld: isBatch })
      await checkTrace(printed, workspace, {
        ...(isBatch ? { release: '1.2.3', temperature: '0.2' } : {}),
        isBatch,
      })
      await checkDataset(printed, workspace)
      if (isBatch) checkReads(printed)
    })
  }
})

function checkReads({ fetchedTrace, traceIds, session }: PrintedResult): void {
  assert.deepEqual(fetchedTrace, {
    name: 'support',
    userId: 'ann',
    sessionId: 'session-1',
    tags: ['trial', 'eu'],
    input: { question: 'Why?' },
    output: { answer: 'Because.' },
    totalCost: 0.003,
    observations: ['answer', 'look up', 'send', 'support', 'write'],
    scores: ['brief', 'helpful', 'tone'],
  })
  assert.deepEqual([traceIds, session], [['support'], 1])
}

/** The command that runs an application with a version of the SDK; undefined if the version cannot be installed. */
function install(version: string): string | undefined {
  const folder = join(
    hostEnvironment.PLUMBLINE_CAPTURES_FOLDER ?? join(tmpdir(), 'plumbline-captures'),
    `langfuse-client-${version}`,
  )
  const program = join(folder, 'bin', 'python')
  const marker = join(folder, '.installed')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === version) return program
  const isDone = (command: string, parameters: readonly string[]) =>
    spawnSync(command, parameters, { stdio: 'ignore' }).status === 0
  if (!isDone('python3', ['-m', 'venv', folder])) return undefined
  if (!isDone(program, ['-m', 'pip', 'install', '--quiet', `langfuse==${version}`])) return undefined
  writeFileSync(marker, version)
  return program
}
