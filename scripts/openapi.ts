/** Writes contract/openapi.json anew from the operations: `npm run openapi`. Read its diff in review. */
import { writeFileSync } from 'node:fs'
import { openApiDocument } from '@plumbline/contract'

const file = new URL('../contract/openapi.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(openApiDocument(), null, 2)}\n`)
