import assert from 'node:assert/strict'
import { it } from 'node:test'
import { nameWorkspaceOfFiles } from '../files/file-address.ts'
import { safeImage, safeLink } from './safe-address.ts'

it('links may be http, https and mailto only', () => {
  for (const address of ['https://example.com/a', 'http://example.com', 'mailto:a@example.com'])
    assert.equal(safeLink(address), address)
  const unsafe = [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '/settings',
    '//evil.example',
    '#x',
    '',
    undefined,
  ]
  for (const address of unsafe) assert.equal(safeLink(address), undefined)
})

it('images may be embedded or files of the service', () => {
  for (const address of ['data:image/png;base64,AAAA', '/files/abc-1'])
    assert.equal(safeImage(address), address)
  const unsafe = [
    'https://tracker.example/1.png',
    'data:image/svg+xml;base64,AAAA',
    '/files/../api-keys',
    '//evil.example/1.png',
  ]
  for (const address of unsafe) assert.equal(safeImage(address), undefined)
})

it('an image of the service is in the workspace of the tab', () => {
  nameWorkspaceOfFiles('ws 1')
  assert.equal(safeImage('/files/abc-1'), '/files/abc-1?workspace=ws%201')
  nameWorkspaceOfFiles(undefined)
  assert.equal(safeImage('/files/abc-1'), '/files/abc-1')
})
