/** The build of the web app: served under /app/, with one chunk per screen. */
import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type InlineConfig, loadEnv, mergeConfig } from 'vite'
import { buildTarget } from './browsers.ts'
import { precompress } from './precompress.ts'
import { schemaImports } from './schema-imports.ts'
import { splitCode } from './split-code.ts'

export default defineConfig(({ mode }) => {
  const { PLUMBLINE_URL: service = 'http://localhost:4747' } = loadEnv(
    mode,
    import.meta.dirname,
    'PLUMBLINE_',
  )
  const config = (): InlineConfig => ({
    root: import.meta.dirname,
    base: '/app/',
    // A proxy may serve it below a path: the service writes the path into index.html, and all other URLs are relative.
    experimental: {
      renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
    },
    resolve: {
      alias: { '@codemirror/lang-html': join(import.meta.dirname, 'src/ui/text/plain-text-language.ts') },
    },
    plugins: [schemaImports(), react(), tailwind()],
    build: {
      target: buildTarget,
      outDir: 'dist',
      emptyOutDir: true,
      // Read by the first-load test.
      manifest: true,
      // The theme must be known before the first paint, and the content security policy forbids inline code, so nothing is
      // inlined.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // One CSS file: it is small, and parts shown later need no request of their own.
      cssCodeSplit: false,
    },
    server: {
      // All requests except for the web app go to the service.
      proxy: { '^/(?!app/)': { target: service, changeOrigin: false } },
    },
  })
  return mergeConfig(config(), { plugins: [splitCode(config()), precompress()] })
})
