/**
 * Writes the files generated from the contract: contract/openapi.json, docs/reference.md and the operations of the
 * Python client. `npm run openapi`; read their diff in review.
 */
import { writeFileSync } from 'node:fs'
import { openApiDocument } from '@plumbline/contract'
import { type OpenApiDocument, pythonOperations } from './python/operations.ts'
import { referencePage } from './reference/page.ts'

const write = (path: string, text: string): void =>
  writeFileSync(new URL(`../${path}`, import.meta.url), text)

write('contract/openapi.json', `${JSON.stringify(openApiDocument(), null, 2)}\n`)
write('docs/reference.md', referencePage())
// Safe: the type covers only what the generator reads.
write('python/plumbline/operations.py', pythonOperations(openApiDocument() as unknown as OpenApiDocument))
