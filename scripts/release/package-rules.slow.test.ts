/** Checks the packages with the usual tools for npm packages: publint for the manifests, attw for the types. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { unpack } from './archive.ts'
import { pack, publishedPackages, readManifest } from './packed.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const webFolder = join(folder, 'web')
mkdirSync(webFolder)
writeFileSync(join(webFolder, 'index.html'), '<!doctype html>')

/** Packages that are not programs have types. */
const typedPackages = new Set<string>(['sdk'])

describe('the packages as published', () => {
  for (const name of publishedPackages) {
    it(`${name} has a manifest that resolves, a licence and a README`, async () => {
      const archive = await pack(name, folder, webFolder)
      const installed = join(folder, name)
      await unpack(archive, installed)
      const manifest = readManifest(installed)
      const { messages } = await publint({ pkgDir: installed, pack: false, strict: true })
      assert.deepEqual(
        messages.map((message) => formatMessage(message, manifest)),
        [],
      )
      for (const file of ['LICENSE', 'README.md'])
        assert.ok(readFileSync(join(installed, file)).length > 100, file)
      if (!typedPackages.has(name)) return
      const data = createPackageFromTarballData(readFileSync(archive))
      const result = await checkPackage(data)
      assert.ok(result.types !== false)
      assert.deepEqual(
        result.problems.filter((problem) => !isTolerated(problem)).map((problem) => JSON.stringify(problem)),
        [],
      )
    })
  }
})

/** Module resolution from before 2022 does not support `exports`. */
const isTolerated = (problem: object): boolean =>
  'resolutionKind' in problem && problem.resolutionKind === 'node10'
