import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { NEWS_TOPICS, type Preferences } from '../../../src/contract/identity/preferences.ts'
import { call } from '../../../test/support/http.ts'
import { linkIn, mailsTo } from '../../../test/support/mailbox.ts'
import { newInvestor, type Person } from '../../../test/support/people.ts'
import { sign } from '../../lib/crypto/signature.ts'
import { buildOptionalMail, signMailsOffToken, verifyMailsOffToken } from './optionalMail.ts'

const ALL_ON = { unusualActivity: true, newBrowserSignIn: true, salesNews: true, features: true, tips: true }

async function wantsAll(): Promise<Person> {
  const ana = await newInvestor()
  await call('PATCH', '/users/preferences', { token: ana.token, json: { emails: ALL_ON } })
  return ana
}

const unsubscribe = (token: unknown) => call('POST', '/users/preferences/unsubscribe', { json: { token } })

async function emailsOf({ token }: Person): Promise<Preferences['emails']> {
  return (await call<Preferences>('GET', '/users/preferences', { token })).body.emails
}

describe('a mail that may be turned off', () => {
  test('carries the headers of a one-click unsubscription, and a link to a page', async () => {
    const ana = await newInvestor()
    const mail = await buildOptionalMail(env, { ...ana, displayName: ana.name }, 'tips', {
      subject: 'A tip',
      parts: ['here it is.'],
    })
    const token = await signMailsOffToken(env, ana.id, 'tips')
    expect(mail.headers).toEqual({
      'List-Unsubscribe': `<http://localhost:8787/api/v1/users/preferences/unsubscribe?token=${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
    const link = linkIn({ ...mail, headers: {} }, '/unsubscribe')
    expect([link.pathname, link.searchParams.get('token')]).toEqual(['/unsubscribe', token])
  })

  test.each(NEWS_TOPICS)('one-click unsubscribing turns off only this kind of mail: %s', async (kind) => {
    const ana = await wantsAll()
    const token = await signMailsOffToken(env, ana.id, kind)
    const reply = await call('POST', `/users/preferences/unsubscribe?token=${token}`, {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      raw: 'List-Unsubscribe=One-Click',
    })
    expect([reply.status, reply.body.msg]).toEqual([200, expect.stringMatching(/^You no longer get mails /)])
    expect(await emailsOf(ana)).toEqual({ ...ALL_ON, [kind]: false })
  })

  test('a button on our page also turns it off, whatever else is sent', async () => {
    const ana = await wantsAll()
    const token = await signMailsOffToken(env, ana.id, 'tips')
    const form = new FormData()
    form.set('List-Unsubscribe', 'One-Click')
    for (const options of [
      { json: { token } },
      { form: { token } },
      { headers: { 'Content-Type': 'text/plain' }, raw: 'hello' },
      { form },
    ]) {
      await call('PATCH', '/users/preferences', { token: ana.token, json: { emails: ALL_ON } })
      const path = `/users/preferences/unsubscribe${'json' in options ? '' : `?token=${token}`}`
      expect((await call('POST', path, options)).status, JSON.stringify(options)).toBe(200)
      expect((await emailsOf(ana)).tips).toBe(false)
    }
  })
})

describe('turning mails off with a link', () => {
  test('repeated calls have the same answer, change nothing more, and send no mail', async () => {
    const ana = await wantsAll()
    const token = await signMailsOffToken(env, ana.id, 'salesNews')
    const replies = await Promise.all(Array.from({ length: 10 }, () => unsubscribe(token)))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.msg}`)).size).toBe(1)
    expect(await emailsOf(ana)).toEqual({ ...ALL_ON, salesNews: false })
    expect(await mailsTo(ana.email)).toEqual([])
  })

  test('can be undone in the profile, and done again with the same link', async () => {
    const ana = await wantsAll()
    const token = await signMailsOffToken(env, ana.id, 'features')
    await unsubscribe(token)
    await call('PATCH', '/users/preferences', { token: ana.token, json: { emails: { features: true } } })
    expect((await emailsOf(ana)).features).toBe(true)
    await unsubscribe(token)
    expect((await emailsOf(ana)).features).toBe(false)
  })

  test('leaves the activity log and everybody else alone', async () => {
    const [ana, ben] = [await newInvestor(), await wantsAll()]
    await unsubscribe(await signMailsOffToken(env, ana.id, 'salesNews'))
    const { body } = await call<Preferences>('GET', '/users/preferences', { token: ana.token })
    expect(body).toMatchObject({
      activityLog: true,
      emails: { salesNews: false, newBrowserSignIn: false, tips: true },
    })
    expect(await emailsOf(ben)).toEqual(ALL_ON)
  })

  test('opening the link, as mail scanners do, changes nothing', async () => {
    const ana = await wantsAll()
    const token = await signMailsOffToken(env, ana.id, 'tips')
    const opened = await call('GET', `/users/preferences/unsubscribe?token=${token}`)
    expect([opened.status, opened.headers.get('Allow')]).toEqual([405, 'POST'])
    expect(await emailsOf(ana)).toEqual(ALL_ON)
  })

  test('is refused with a token that we did not make', async () => {
    const [ana, ben] = [await wantsAll(), await wantsAll()]
    const [id = '', kind = '', version = '', mac = ''] = (await signMailsOffToken(env, ana.id, 'tips')).split(
      '.',
    )
    for (const token of [
      'wrong',
      id,
      `${id}.${kind}`,
      `${id}.${kind}.${version}.${mac.slice(1)}`,
      `${id}.features.${version}.${mac}`,
      `${id}.activityLog.${version}.${mac}`,
      `${ben.id}.${kind}.${version}.${mac}`,
      `${id}.${version}.${mac}`,
      ana.token,
    ]) {
      const { status, body } = await unsubscribe(token)
      expect([status, body.code], token).toEqual([400, 'invalid_token'])
    }
    const missing = await call('POST', '/users/preferences/unsubscribe', { json: {} })
    expect([missing.status, missing.body.fields?.token]).toEqual([
      422,
      expect.stringMatching(/link is incomplete/),
    ])
    expect([await emailsOf(ana), await emailsOf(ben)]).toEqual([ALL_ON, ALL_ON])
  })

  test('a token for warnings turns nothing off, although we signed it', async () => {
    const ana = await wantsAll()
    for (const kind of ['unusualActivity', 'newBrowserSignIn']) {
      const content = `${ana.id}.${kind}`
      const token = `${content}.${await sign(env.VAULT_KEYS, 'mail-preference-off', content)}`
      expect(await unsubscribe(token)).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    }
    expect(await emailsOf(ana)).toEqual(ALL_ON)
  })

  test('succeeds if the account is erased', async () => {
    const token = await signMailsOffToken(env, crypto.randomUUID(), 'tips')
    expect((await unsubscribe(token)).status).toBe(200)
  })
})

describe('the token that turns mails off', () => {
  test('is the same in each mail, and still works after a new key came', async () => {
    const id = crypto.randomUUID()
    const token = await signMailsOffToken(env, id, 'tips')
    expect(await signMailsOffToken(env, id, 'tips')).toBe(token)
    const rotated = { ...env, VAULT_KEYS: `2:${btoa('k'.repeat(32))},${env.VAULT_KEYS}` }
    expect(await verifyMailsOffToken(rotated, token)).toEqual({ userId: id, kind: 'tips' })
    expect(await verifyMailsOffToken(env, await signMailsOffToken(rotated, id, 'tips'))).toBeNull()
  })
})
