/** Part of `npm run check`: reports imports that the import rule forbids, and exports that nothing imports. */
import { findImportProblems } from './imports/import-rule.ts'
import { findUnusedExports } from './imports/unused-exports.ts'

const problems = [
  ...findImportProblems('.').map(({ file, specifier, problem }) => `${file}: '${specifier}'. ${problem}`),
  ...findUnusedExports('.').map(({ file, name }) => `${file}: no other file imports ${name}.`),
]
for (const problem of problems) process.stdout.write(`${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
