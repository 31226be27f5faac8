/** Links that the service sends through a real mail server. */
import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { readableMail, startMailServer } from '../../server/testing/mail-server.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const mailServer = await startMailServer()
after(() => mailServer.close())
const screens = await startScreens({
  isOwn: true,
  settings: {
    PLUMBLINE_PUBLIC_URL: 'http://plumbline.example',
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Plumbline <people@example.com>',
  },
})

it('an invitation is mailed, and the page confirms it, or shows the failure with the link to copy', async () => {
  const page = await screens.open('/settings/members')
  const invite = async (email: string): Promise<void> => {
    await page.getByRole('button', { name: 'Invite a person' }).click()
    await page.getByRole('dialog').getByLabel('E-mail').fill(email)
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
  }
  await invite('vera@example.com')
  const successDialog = page.getByRole('dialog', { name: 'Sent to vera@example.com' })
  await successDialog.waitFor()
  await assertAccessible(page)
  assert.match(mailServer.mails.map(readableMail).join('\n'), /Ada Lovelace invites you .* as an editor/)
  await successDialog.getByRole('button', { name: 'Done' }).click()

  mailServer.unknownAddresses.add('nobody@example.com')
  await invite('nobody@example.com')
  const failureDialog = page.getByRole('dialog', { name: 'The mail to nobody@example.com could not be sent' })
  await failureDialog.getByText('No such mailbox').waitFor()
  await failureDialog.getByText('Copy the link and send it yourself').waitFor()
  await failureDialog.getByRole('button', { name: 'Copy the link' }).click()
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()))
  assert.equal(link.origin, 'http://plumbline.example')
  await failureDialog.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByRole('region', { name: 'Invitations' }).getByText('nobody@example.com').waitFor()
})
