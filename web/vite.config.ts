/** How the page is built: served under /app/, one chunk for each screen. */
import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv } from 'vite'
import { precompress } from './precompress.ts'
import { schemaImports } from './schema-imports.ts'

export default defineConfig(({ mode }) => {
  const { PLUMBLINE_URL: service = 'http://localhost:4747' } = loadEnv(
    mode,
    import.meta.dirname,
    'PLUMBLINE_',
  )
  return {
    root: import.meta.dirname,
    base: '/app/',
    resolve: {
      alias: { '@codemirror/lang-html': join(import.meta.dirname, 'src/ui/text/plain-text-language.ts') },
    },
    plugins: [schemaImports(), react(), tailwind(), precompress()],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      // Read by the test of the first load.
      manifest: true,
      // The theme must be known before the first paint, and the policy forbids inline code: nothing is inlined.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
    server: {
      // Everything that is not the page is the service's.
      proxy: { '^/(?!app/)': { target: service, changeOrigin: false } },
    },
  }
})
