/** The cost of masking: a 4 KB trace with all detectors and without rules, and a 16 MB body with its event loop delay. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type MaskingRule, maskingDetectors } from '@plumbline/contract'
import { makeMasking } from '../../server/src/ingest/masking/masking.ts'
import type { AcceptedRecord } from '../../server/src/ingest/monitor/record.ts'
import type { Figure } from './print.ts'

const sentence =
  'The customer asked about the invoice of last week, and we answered that it would be paid soon. '

const makeAccepted = (workspaceId: string): AcceptedRecord => ({
  type: 'trace',
  workspaceId,
  apiKeyId: 'bench',
  receivedAtMs: 0,
  traceId: '01933b1c-0000-7000-8000-000000000000',
  featureSlug: null,
  isSampled: false,
  sampleRate: null,
  warning: null,
  prompts: {},
})

const bodyOf = (messages: number): Buffer => {
  const content = `${sentence.repeat(5)}Write to jane.doe@example.com.`
  const input = Array.from({ length: messages }, () => ({ role: 'user', content }))
  return Buffer.from(JSON.stringify({ name: 'bench', input, metadata: { ip: '203.0.113.7', count: 7 } }))
}

const figure = (name: string, values: readonly number[], unit: string): Figure => ({
  name,
  value: values.toSorted((a, b) => a - b)[values.length >> 1]!,
  unit,
  target: undefined,
})

export async function measureMasking(rounds: number): Promise<Figure[]> {
  const detectors = maskingDetectors.map(
    (detector): MaskingRule => ({ type: 'detector', detector, name: detector, action: 'mask' }),
  )
  const masking = makeMasking({
    rulesOf: async (workspaceId) => (workspaceId === 'on' ? detectors : []),
    key: Buffer.alloc(32),
  })
  try {
    const small = bodyOf(8)
    const large = bodyOf(32_000)
    const timesOf = async (workspaceId: string): Promise<number[]> => {
      const accepted = makeAccepted(workspaceId)
      const run = async (): Promise<number> => {
        const count = 1000
        const startedAt = performance.now()
        for (let index = 0; index < count; index++) await masking.record(accepted, small)
        return ((performance.now() - startedAt) * 1000) / count
      }
      await run()
      const times: number[] = []
      for (let round = 0; round < rounds; round++) times.push(await run())
      return times
    }
    const withoutMasking = await timesOf('off')
    const withMasking = await timesOf('on')
    const delays: number[] = []
    const seconds: number[] = []
    for (let round = 0; round < rounds; round++) {
      const delay = monitorEventLoopDelay({ resolution: 1 })
      delay.enable()
      const startedAt = performance.now()
      await masking.record(makeAccepted('on'), large)
      seconds.push((performance.now() - startedAt) / 1000)
      delay.disable()
      delays.push(delay.max / 1e6)
    }
    return [
      figure(`Masking, a trace of ${small.length} bytes, no rules`, withoutMasking, 'us'),
      figure('  all detectors', withMasking, 'us'),
      figure(`Masking, a body of ${(large.length / 1e6).toFixed(0)} MB, all detectors`, seconds, 's'),
      figure('  event-loop delay, longest', delays, 'ms'),
    ]
  } finally {
    await masking.close()
  }
}
