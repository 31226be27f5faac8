/** The entry of the web app: builds its parts and connects them. */
import '@fontsource-variable/inter'
import '@fontsource-variable/geist-mono'
import './app/page.css'
import { createOperations } from '@plumbline/sdk'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { makeQueries } from './app/queries.ts'
import { makeRouter } from './app/router.ts'
import { fetchInWorkspace, shareWorkspaceOnFocus } from './app/workspace/workspace-choice.ts'
import { serviceUrl } from './ui/base-path.ts'

const client = createOperations({ baseUrl: serviceUrl, fetch: fetchInWorkspace })
const queries = makeQueries(() => void router.invalidate())
const router = makeRouter({ client, queries })
shareWorkspaceOnFocus()

const root = document.querySelector('#root')
if (root === null) throw new Error('index.html has no #root.')
createRoot(root).render(
  <StrictMode>
    <App client={client} queries={queries} router={router} />
  </StrictMode>,
)
