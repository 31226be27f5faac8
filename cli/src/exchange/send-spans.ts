/** Sends OpenTelemetry exports unchanged. The service deduplicates spans by their ids. */
import { RequestFailed } from '@plumbline/sdk'
import type { JsonRecord } from '@plumbline/sdk/import'
import { patientFetch } from '../patient-fetch.ts'
import type { Session } from '../session.ts'
import { type Outcome, requestBytesMax } from './sending.ts'
import { spansIn } from './survey.ts'

const spansPerRequest = 1000
/** Statuses that concern only these spans; any other status would affect all requests. */
const rejectionStatuses = new Set([400, 413])

export async function sendSpans(session: Session, request: JsonRecord, outcome: Outcome): Promise<void> {
  for (const part of splitRequest(request)) {
    const count = spansIn(part)
    try {
      const { rejectedSpans = 0, errorMessage = 'rejected' } = await post(session, part)
      const rejected = Number(rejectedSpans)
      outcome.added += count - rejected
      if (rejected > 0) outcome.fail(`${rejected} spans`, new Error(errorMessage), rejected)
    } catch (error) {
      if (!(error instanceof RequestFailed && rejectionStatuses.has(error.status))) throw error
      outcome.fail(`${count} spans`, error, count)
    }
  }
}

interface PartialSuccess {
  readonly rejectedSpans?: string | number
  readonly errorMessage?: string
}

async function post({ url, key, signal }: Session, part: JsonRecord): Promise<PartialSuccess> {
  const response = await patientFetch(`${url}/v1/traces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(part),
    signal,
  })
  const body = readBody(await response.text())
  if (!response.ok) throw new RequestFailed(response.status, body.error ?? body.message)
  return body.partialSuccess ?? {}
}

/** A proxy may respond with something else. */
function readBody(text: string): {
  readonly partialSuccess?: PartialSuccess
  readonly error?: string
  readonly message?: string
} {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Splits a request so that each part fits into one body, unless one span alone does not. */
function splitRequest(request: JsonRecord): JsonRecord[] {
  // Safe: requests without it are not recognised.
  const resources = request.resourceSpans as readonly JsonRecord[]
  if (spansIn(request) <= spansPerRequest && sizeOf(resources) <= requestBytesMax)
    return [{ resourceSpans: resources }]
  return resources.flatMap((resource) => {
    const scopes = (resource.scopeSpans ?? []) as readonly JsonRecord[]
    return scopes.flatMap((scope) =>
      splitSpans((scope.spans ?? []) as readonly unknown[]).map((spans) => ({
        resourceSpans: [{ ...resource, scopeSpans: [{ ...scope, spans }] }],
      })),
    )
  })
}

function splitSpans(spans: readonly unknown[]): unknown[][] {
  const parts: unknown[][] = []
  let bytes = 0
  for (const span of spans) {
    const spanBytes = sizeOf(span)
    const part = parts.at(-1)
    if (part === undefined || part.length === spansPerRequest || bytes + spanBytes > requestBytesMax) {
      parts.push([span])
      bytes = spanBytes
    } else {
      part.push(span)
      bytes += spanBytes
    }
  }
  return parts
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
