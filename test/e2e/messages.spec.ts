import { expectAccessible } from './support/accessibility.ts'
import { callApi } from './support/http.ts'
import { mailsTo, waitForMail } from './support/mailbox.ts'
import { fileDeposit, newInvestor, operatorSession } from './support/people.ts'
import { waitForScripts } from './support/screens.ts'
import { expect, test } from './support/test.ts'

test('an investor writes to support, an operator replies by mail, and the thread goes on', async ({
  open,
}) => {
  const ana = await newInvestor({ name: 'Ana Torres' })
  await fileDeposit(ana.session.token, 500)
  const [deposit] = await callApi<{ ref: string }[]>('GET', '/transaction-history', {
    token: ana.session.token,
  })
  const page = await open(ana.session)
  await page.goto('/dashboard/support')
  await waitForScripts(page)
  await expect(page.getByText('No messages yet')).toBeVisible()
  await page.getByRole('textbox', { name: 'Message' }).fill(`When is ${deposit?.ref} credited?`)
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText('Thank you for your message.')).toBeVisible()
  const mine = page.getByRole('article')
  await expect(mine).toContainText('Open')
  const ref = (await mine.getByRole('heading').textContent()) ?? ''
  await expectAccessible(page)

  const console = await open(operatorSession('first'))
  await console.goto('/operator/messages')
  await waitForScripts(console)
  await console.getByRole('searchbox', { name: /^Find/ }).fill(ref)
  await console.keyboard.press('Enter')
  await expect(console.locator('[data-row]')).toHaveCount(1)
  await console.locator('[data-row]').first().click()
  const dialog = console.getByRole('dialog', { name: /^Message/ })
  const conversation = dialog.getByRole('list', { name: 'Conversation with Ana Torres' })
  await expect(conversation.getByRole('link', { name: deposit?.ref ?? '' })).toHaveAttribute(
    'href',
    /\/operator\/deposits\?.*open=/,
  )
  await dialog.getByLabel(/^Template/).selectOption({ index: 1 })
  const text = dialog.getByRole('textbox', { name: 'Reply' })
  await expect(text).toHaveValue(new RegExp(`your deposit ${deposit?.ref} and are checking it`))
  await expectAccessible(console)
  // What was typed survives a reload.
  await text.press('End')
  await text.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Preview' })).toBeVisible()
  await console.reload()
  await expect(text).toHaveValue(/We credit it once/)
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByText(`Our reply to your message ${ref}`)).toBeVisible()
  await dialog.getByRole('button', { name: 'Send the reply' }).dblclick()
  await expect(dialog.getByText('Your reply goes to')).toBeVisible()
  await expect(conversation.getByRole('listitem')).toHaveCount(2)

  const mail = await waitForMail(ana.email, new RegExp(`Our reply to your message ${ref}`))
  expect(mail.text).toContain(`your deposit ${deposit?.ref} and are checking it`)
  const mails = await mailsTo(ana.email)
  expect(mails.filter(({ subject }) => subject.includes(ref))).toHaveLength(1)

  // The investor reads it and writes again, which reopens the thread.
  await page.reload()
  await expect(mine).toContainText('Answered')
  await expect(mine).toContainText('We credit it once')
  await mine.getByRole('button', { name: `Write again in ${ref}` }).click()
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await page.keyboard.insertText('Thank you!')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(mine.getByRole('listitem')).toHaveCount(3)
  await expect(mine).toContainText('Open')

  // The operator closes it with one click, and reopens it. An unsent reply and what may be a legal matter are asked about first.
  await console.reload()
  await expect(conversation.getByRole('listitem')).toHaveCount(3)
  await dialog.getByRole('textbox', { name: 'Reply' }).fill('Half a reply')
  await dialog.getByRole('button', { name: 'Close message without reply' }).click()
  await expect(dialog.getByText('Your reply is not sent.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close message without reply' }).click()
  await expect(dialog.getByText(`${ref} left the queue.`)).toBeVisible()
  await console.reload()
  await dialog.getByRole('button', { name: 'Reopen message' }).click()
  await dialog.getByRole('button', { name: 'Reopen the message' }).click()
  await expect(dialog.getByText(`${ref} waits for an operator again.`)).toBeVisible()
  await page.reload()
  await mine.getByRole('button', { name: `Write again in ${ref}` }).click()
  await page.keyboard.insertText('This is a complaint.')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(mine.getByRole('listitem')).toHaveCount(4)
  await console.reload()
  await expect(conversation.getByRole('listitem')).toHaveCount(4)
  await dialog.getByRole('button', { name: 'Close message without reply' }).click()
  await expect(dialog.getByText('Nobody answers it, and it leaves the queue.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close message without reply' }).click()
  await expect(dialog.getByText(`${ref} left the queue.`)).toBeVisible()
})
