/** Lets the MCP server read and change data through operations of the interface, as the caller. */
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { InputOf, Operation, OutputOf } from '@plumbline/contract'

/** `answer` is the response body as a JSON value. */
export type Ask = (
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
) => Promise<{
  readonly status: number
  readonly answer: unknown
}>

/** The output of an operation; a rejection becomes a protocol error with the interface's message. */
export async function read<Op extends Operation>(
  ask: Ask,
  operation: Op,
  input: InputOf<Op> & Readonly<Record<string, unknown>>,
): Promise<OutputOf<Op>> {
  const { status, answer } = await ask(operation, input)
  if (status >= 400) throw new McpError(ErrorCode.InvalidParams, errorOf(answer))
  // Safe: the operation succeeded, and its response has this form by the contract.
  return answer as OutputOf<Op>
}

export function errorOf(answer: unknown): string {
  // Safe: error responses of the interface have this form.
  return (answer as { error: string }).error
}
