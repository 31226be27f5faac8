/** How the MCP server reads and changes what there is: by operations of the interface, as the caller would. */
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { InputOf, Operation, OutputOf } from '@plumbline/contract'

/** `answer` is the JSON of the response's body. */
export type Ask = (
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
) => Promise<{
  readonly status: number
  readonly answer: unknown
}>

/** What an operation returns; a refusal is an error of the protocol, with the interface's own sentence. */
export async function read<Op extends Operation>(
  ask: Ask,
  operation: Op,
  input: InputOf<Op> & Readonly<Record<string, unknown>>,
): Promise<OutputOf<Op>> {
  const { status, answer } = await ask(operation, input)
  if (status >= 400) throw new McpError(ErrorCode.InvalidParams, errorOf(answer))
  // Safe: the operation answered, and its answer has this form by the contract.
  return answer as OutputOf<Op>
}

export function errorOf(answer: unknown): string {
  // Safe: a refusal of the interface has this form.
  return (answer as { error: string }).error
}
