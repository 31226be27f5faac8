/** Writes what is made from the contract, contract/openapi.json and docs/reference.md: `npm run openapi`. Read their diff in review. */
import { writeFileSync } from 'node:fs'
import { openApiDocument } from '@plumbline/contract'
import { referencePage } from './reference/page.ts'

const write = (path: string, text: string): void =>
  writeFileSync(new URL(`../${path}`, import.meta.url), text)

write('contract/openapi.json', `${JSON.stringify(openApiDocument(), null, 2)}\n`)
write('docs/reference.md', referencePage())
