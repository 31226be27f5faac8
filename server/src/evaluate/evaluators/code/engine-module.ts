/** The engine of user code, compiled. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** Safe: Node has WebAssembly, but our `lib` setting declares it for browsers only. */
const { compile } = (
  globalThis as unknown as { WebAssembly: { compile: (bytes: Uint8Array) => Promise<WebAssembly.Module> } }
).WebAssembly

let compiled: Promise<WebAssembly.Module> | undefined

/**
 * Compiled once, by the main thread, which keeps it forever: threads start and end, and V8 may end the whole process when
 * the last of them frees the code of a module (nodejs/node#64500).
 */
export function compiledEngine(): Promise<WebAssembly.Module> {
  const path = fileURLToPath(import.meta.resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm'))
  compiled ??= readFile(path).then((bytes) => compile(bytes))
  return compiled
}
