import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { ORIGIN } from '../../../test/support/http.ts'
import { approveDeposit, as, deposit, statuses } from '../../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { setSetting } from '../../../test/support/settings.ts'

const title = 'News'

test('a notification that leads to another site is refused, and names the link; so is its preview', async () => {
  const [operator, ana] = [await newOperator(), await newInvestor()]
  const path = `/operator/investors/${ana.id}/notification`
  for (const [content, link] of [
    ['<a href="https://evenkeel-login.example/">Confirm your account</a>', 'https://evenkeel-login.example/'],
    ['<a href="http://localhost.example:8787/">x</a>', 'http://localhost.example:8787/'],
    ['<a href="https:evil.example">x</a>', 'https:evil.example'],
    [`<a href="${ORIGIN}@evil.example/">x</a>`, `${ORIGIN}@evil.example/`],
    ['<a href="mailto:support@evil.example">Write to us</a>', 'mailto:support@evil.example'],
    ['Go to https://evil.<b>example</b>/pay now', 'https://evil.example/pay'],
    ['Go to WWW.evil.example now', 'WWW.evil.example'],
    ['<p>Go to evil.<b>example</b></p>', 'evil.example'],
    ['<p>Call +1 555 <i>010</i> 0199</p>', '+1 555 010 0199'],
    ['Write to help&#64;evil.example', 'help@evil.example'],
    ['Pay to 0x52908400098527886E0F7030069857D2E4169EE7', '0x52908400098527886E0F7030069857D2E4169EE7'],
  ] as const) {
    const msg = `A message to an investor may name only our own addresses and numbers. Please remove ${link}`
    const refusal = { status: 422, body: { code: 'validation_failed', fields: { content: msg } } }
    expect([content, await as(operator, 'POST', path, { title, content })]).toMatchObject([content, refusal])
    const preview = await as(operator, 'POST', '/operator/notifications/preview', { content })
    expect([content, preview]).toMatchObject([content, refusal])
  }
  for (const title of ['See evil.example', 'Call +1 555 010 0199'])
    expect((await as(operator, 'POST', path, { title, content: 'x' })).status).toBe(422)
  const inTitle = await as(operator, 'POST', path, { title: 'See https://evil.example', content: 'x' })
  expect(inTitle).toMatchObject({ status: 422, body: { fields: { title: expect.stringContaining('evil') } } })
  const { body } = await as<{ notification: unknown }>(ana, 'GET', '/users/user-info?fields=notification')
  expect(body.notification).toBeNull()
})

test('a notification may lead to our own pages', async () => {
  const [operator, ana] = [await newOperator(), await newInvestor()]
  for (const href of ['/dashboard/kyc', '#top', '?tab=x', 'kyc', `${ORIGIN}/fees`]) {
    const json = { title, content: `<p>Please see <a href="${href}">this page</a>, or ${ORIGIN}/fees</p>` }
    const reply = await as(operator, 'POST', `/operator/investors/${ana.id}/notification`, json)
    expect([href, reply.status]).toEqual([href, 201])
  }
})

test('an operator sends twenty notifications and notes within 24 hours, also in parallel', async () => {
  const [operator, other, ana] = [await newOperator(), await newOperator(), await newInvestor()]
  const path = `/operator/investors/${ana.id}/notification`
  const send = (by: { token: string }) => as(by, 'POST', path, { title, content: 'Text' })
  const replies = await Promise.all(Array.from({ length: 25 }, () => send(operator)))
  expect(statuses(replies)).toEqual({ 201: 20, 429: 5 })
  const more = await send(operator)
  expect(more).toMatchObject({ status: 429, body: { code: 'too_many_notifications' } })
  expect(more.body.msg).toContain('announcement')
  const wait = Number(more.headers.get('Retry-After'))
  expect(wait).toBeGreaterThan(86_000)
  expect(wait).toBeLessThanOrEqual(86_400)
  expect((await send(other)).status).toBe(201)
  // The note of a credit is read by the investor too.
  const credit = await deposit(ana, '10')
  const note = await approveDeposit(operator, credit, { note: 'Thank you' })
  expect(note).toMatchObject({ status: 429, body: { code: 'too_many_notifications' } })
  expect(await approveDeposit(operator, credit, { note: 'Call +1 555 010 0199' })).toMatchObject({
    status: 422,
    body: { fields: { note: expect.stringContaining('only our own') } },
  })
  expect((await approveDeposit(operator, credit)).status).toBe(200)
  const insert = 'INSERT INTO notification_sends (operator, at) VALUES (?, ?)'
  await expect(env.DB.prepare(insert).bind(operator.id, Date.now()).run()).rejects.toThrow(
    /too_many_notifications/,
  )
  for (const sql of ['DELETE FROM notification_sends', 'UPDATE notification_sends SET at = 1'])
    await expect(env.DB.prepare(sql).run()).rejects.toThrow(
      sql.startsWith('DELETE') ? 'never deleted' : 'immutable',
    )
})

test('the support address of the settings may be written to, and their limit holds', async () => {
  const [operator, ana] = [await newOperator(), await newInvestor()]
  await setSetting('supportAddress', 'help@example.com')
  await setSetting('notificationsPerDay', 1)
  await setSetting('messagingNumber', '+41 79 123 45 67')
  const path = `/operator/investors/${ana.id}/notification`
  const writing = (address: string) => ({ title, content: `<a href="mailto:${address}">Write to us</a>` })
  expect((await as(operator, 'POST', path, writing('help@example.com?bcc=thief@example.com'))).status).toBe(
    422,
  )
  const own = `${writing('Help@example.com').content} <p>Or write to help@example.com.</p><p>Or to +41 79 123 45 67</p>`
  expect((await as(operator, 'POST', path, { title, content: own })).status).toBe(201)
  expect((await as(operator, 'POST', path, writing('help@example.com'))).status).toBe(429)
})
