/**
 * Runs after `npm ci`: strips the types of the service, and builds the web app. An installation without development
 * packages cannot build it, and need not if it was built before: see docs/deploy.md.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

// If this fails, it prints the reason; the service also starts without it.
spawnSync(process.execPath, ['server/strip-sources.mjs'], { cwd: root, stdio: 'inherit' })

if (existsSync(join(root, 'node_modules/vite'))) {
  const { status } = spawnSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' })
  process.exitCode = status ?? 1
} else if (!existsSync(join(root, 'web/dist/index.html'))) {
  process.stderr.write(
    'The web app is not built, since its build needs the development packages: run `npm ci && npm prune --omit=dev` for a service with the web app.\n',
  )
}
