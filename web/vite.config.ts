/** How the page is built: served under /app/, one chunk for each screen. */
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
    // A proxy may serve it below a path: the service writes that into index.html, and all else is relative.
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
      // Read by the test of the first load.
      manifest: true,
      // The theme must be known before the first paint, and the policy forbids inline code: nothing is inlined.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // Small, and a part that is shown later needs no request for its own.
      cssCodeSplit: false,
    },
    server: {
      // Everything that is not the page is the service's.
      proxy: { '^/(?!app/)': { target: service, changeOrigin: false } },
    },
  })
  return mergeConfig(config(), { plugins: [splitCode(config()), precompress()] })
})
