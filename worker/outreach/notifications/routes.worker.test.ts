import { describe, expect, test } from 'vitest'
import type { UserInfo } from '../../../src/contract/identity/userInfo.ts'
import type { ReceivedNotification } from '../../../src/contract/outreach/notifications.ts'
import { call } from '../../../test/support/http.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { as } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'

const listOf = async (person: Person, query = '') =>
  (await call<ReceivedNotification[]>('GET', `/users/notifications${query}`, { token: person.token })).body

const unseenOf = async ({ token }: Person) =>
  (await call<{ unseen: number }>('GET', '/users/notifications/unseen', { token })).body.unseen

const see = ({ token }: Person, latest: unknown) =>
  call('POST', '/users/notifications/seen', { token, json: { latest } })

const shownTo = async ({ token }: Person) =>
  (await call<UserInfo>('GET', '/users/user-info?fields=notification', { token })).body.notification

async function notify(person: Person, title: string, persistent = false): Promise<void> {
  const json = { title, content: `<p>${title}</p>`, persistent }
  expect(
    await as(await newOperator(), 'POST', `/operator/investors/${person.id}/notification`, json),
  ).toMatchObject({
    status: 201,
  })
}

describe('received notifications', () => {
  test('are all listed, newest first and in pages, also those that a newer one replaced', async () => {
    const ana = await newInvestor({ kyc: 'none' })
    expect([await listOf(ana), await unseenOf(ana)]).toEqual([[], 0])
    await notify(ana, 'First')
    await notify(ana, 'Second')
    expect(await listOf(ana)).toMatchObject([
      { title: 'Second', content: '<p>Second</p>', seen: false },
      { title: 'First', seen: false },
    ])
    expect(await listOf(ana, '?limit=1')).toHaveLength(1)
    expect(await unseenOf(ana)).toBe(2)
  })

  test('say what the mails about the account say, without the links that act by themselves', async () => {
    const ana = await newInvestor({ kyc: 'none' })
    const json = { currentPassword: ana.password, newPassword: 'a harbour of my own' }
    expect((await call('PATCH', '/users/user-info', { token: ana.token, json })).status).toBe(200)
    const mail = await mailTo(ana.email, /^Your password was changed$/)
    const [news, ...others] = await listOf(ana)
    expect(others).toEqual([])
    expect(news).toMatchObject({ title: mail.subject, seen: false })
    const said = [...(news?.content ?? '').matchAll(/<p>([^<]+)<\/p>/g)].map(([, words]) => words)
    expect(said.length).toBeGreaterThan(0)
    for (const words of said) expect(mail.html).toContain(words)
    expect(mail.html).toContain('/lock-account')
    expect(news?.content).not.toContain('/lock-account')
  })

  test('tell of a downloaded file', async () => {
    const ana = await newInvestor({ kyc: 'none' })
    expect((await call('GET', '/users/data', { token: ana.token })).status).toBe(200)
    expect(await listOf(ana)).toMatchObject([{ title: 'Your data was downloaded', seen: false }])
  })

  test('are seen up to the latest that was shown, which also dismisses the overview’s', async () => {
    const ana = await newInvestor({ kyc: 'none' })
    await notify(ana, 'First')
    await notify(ana, 'Second')
    const [second, first] = await listOf(ana)
    expect((await see(ana, first?._id)).status).toBe(204)
    expect((await listOf(ana)).map(({ seen }) => seen)).toEqual([false, true])
    expect(await shownTo(ana)).toMatchObject({ title: 'Second', seen: false })
    await see(ana, second?._id)
    expect(await unseenOf(ana)).toBe(0)
    expect(await shownTo(ana)).toMatchObject({ title: 'Second', seen: true })
  })

  test('leave a persistent one on the overview', async () => {
    const ana = await newInvestor({ kyc: 'none' })
    await notify(ana, 'Stays', true)
    const [stays] = await listOf(ana)
    await see(ana, stays?._id)
    expect(await unseenOf(ana)).toBe(0)
    expect(await shownTo(ana)).toMatchObject({ title: 'Stays', seen: false })
  })

  test('are seen once they are dismissed on the overview', async () => {
    const ana = await newInvestor({ kyc: 'none' })
    await notify(ana, 'News')
    await call('PATCH', '/users/user-info', { token: ana.token, json: { seen: true } })
    expect(await unseenOf(ana)).toBe(0)
  })

  test('of others are neither listed nor marked, and a missing one marks nothing', async () => {
    const [ana, boris] = [await newInvestor({ kyc: 'none' }), await newInvestor({ kyc: 'none' })]
    await notify(ana, 'For Ana')
    await notify(boris, 'For Boris')
    const [ofAna] = await listOf(ana)
    await see(boris, ofAna?._id)
    await see(boris, 'no-such-notification')
    expect([await unseenOf(ana), await unseenOf(boris)]).toEqual([1, 1])
    expect((await see(boris, undefined)).status).toBe(422)
    expect(await listOf(boris)).toMatchObject([{ title: 'For Boris' }])
  })
})
