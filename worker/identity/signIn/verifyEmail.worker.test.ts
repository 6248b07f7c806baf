import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { AnswerOf } from '../../../src/contract/endpoint.ts'
import type { verifyEmail } from '../../../src/contract/identity/signIn.ts'
import { call } from '../../../test/support/http.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { newInvestor } from '../../../test/support/people.ts'

type VerificationAnswer = AnswerOf<typeof verifyEmail>

async function mailedLink(email: string) {
  await call('POST', '/auth/resend-verification', { json: { email } })
  const { searchParams } = linkIn(await mailTo(email, /^Verify/), '/verify-email')
  return { email, verificationToken: searchParams.get('verificationToken') ?? '' }
}

const verify = (json: unknown) => call('POST', '/auth/verify-email', { json })

describe('verifying an address', () => {
  test('a verification link works once', async () => {
    const [ana, ben] = [await newInvestor({ verified: false }), await newInvestor()]
    const link = await mailedLink(ana.email)
    expect(await verify({ ...link, email: ana.email.toUpperCase() })).toMatchObject({ status: 200 })
    const again = await verify(link)
    expect(again).toMatchObject({
      status: 400,
      body: { code: 'invalid_token', reasons: ['verified_already'] },
    })
    expect(again.body.msg).toMatch(/verified already/)
    const [id = '', key = '', signature = ''] = link.verificationToken.split('.')
    const strangers = [
      { ...link, email: ben.email },
      { ...link, verificationToken: `${ben.id}.${key}.${signature}` },
      {
        ...link,
        verificationToken: `${id}.${key}.${signature.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}`,
      },
      { email: ben.email, verificationToken: ben.id },
    ]
    for (const json of strangers) {
      const { status, body } = await verify(json)
      expect([status, body.code, body.reasons]).toEqual([400, 'invalid_token', undefined])
    }
  })

  test('nothing in the database opens a registration', async () => {
    const ana = await newInvestor({ verified: false })
    const { verificationToken } = await mailedLink(ana.email)
    const row = await env.DB.prepare('SELECT * FROM registrations WHERE id = ?').bind(ana.id).first()
    expect(JSON.stringify(row)).not.toContain(verificationToken.split('.')[2])
  })

  test('works once among fifty at the same moment', async () => {
    const ana = await newInvestor({ verified: false })
    const link = await mailedLink(ana.email)
    const replies = await Promise.all(Array.from({ length: 50 }, () => verify(link)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ body }) => body.code === 'invalid_token')).toHaveLength(49)
    const opened = await env.DB.prepare(
      "SELECT id FROM audit_log WHERE action = 'account.opened' AND subject = ?",
    )
      .bind(ana.id)
      .all()
    expect(opened.results).toHaveLength(1)
  })

  test('wrong, expired and foreign tokens and those for another purpose get the same answer', async () => {
    const ana = await newInvestor({ verified: false })
    const ben = await newInvestor()
    const link = await mailedLink(ana.email)
    const replies = [
      await verify({ email: ana.email, verificationToken: 'wrong' }),
      await verify({ email: ben.email, verificationToken: link.verificationToken }),
      await verify({ email: 'nobody@example.com', verificationToken: link.verificationToken }),
    ]
    await call('POST', '/auth/forgot-password', { json: { email: ben.email } })
    const reset = linkIn(await mailTo(ben.email, /new password/)).searchParams.get('token')
    replies.push(await verify({ email: ben.email, verificationToken: reset }))
    const headers = { 'X-Development-Time': new Date(Date.now() + 25 * 3_600_000).toISOString() }
    replies.push(await call('POST', '/auth/verify-email', { json: link, headers }))
    for (const reply of replies) {
      expect(reply.status).toBe(400)
      expect(reply.body).toEqual(replies[0]?.body)
    }
  })

  test('a verification link works for 24 hours', async () => {
    const ana = await newInvestor({ verified: false })
    const json = await mailedLink(ana.email)
    const headers = { 'X-Development-Time': new Date(Date.now() + 23 * 3_600_000).toISOString() }
    expect(await call('POST', '/auth/verify-email', { json, headers })).toMatchObject({ status: 200 })
  })

  test('what was registered is not changed by SQL either', async () => {
    const ana = await newInvestor({ verified: false })
    await expect(
      env.DB.prepare("UPDATE registrations SET password_hash = '' WHERE id = ?").bind(ana.id).run(),
    ).rejects.toThrow('registrations: immutable')
  })
})

describe('asking for the link again', () => {
  test('asking for the link again has the same answer for every address, and mails only unverified ones', async () => {
    const [waiting, verified] = [await newInvestor({ verified: false }), await newInvestor()]
    const replies = await Promise.all(
      [waiting.email, verified.email, 'nobody@example.com'].map((email) =>
        call('POST', '/auth/resend-verification', { json: { email } }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    await mailTo(waiting.email)
    expect(await mailsTo(verified.email)).toEqual([])
    expect(await mailsTo('nobody@example.com')).toEqual([])
  })

  test('sends at most ten mails a day, with the same answer', async () => {
    const ana = await newInvestor({ verified: false })
    const replies = await Promise.all(
      Array.from({ length: 14 }, () =>
        call('POST', '/auth/resend-verification', { json: { email: ana.email } }),
      ),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    await expect.poll(async () => (await mailsTo(ana.email)).length).toBe(10)
  })
})

test('opens the first session in the browser that registered, and in no other', async () => {
  const person = { fullname: 'ana torres', password: 'correct-horse-battery-staple', country: 'Portugal' }
  const registered = async (email: string) => {
    const json = { ...person, email, phone: '+351 912 345 678' }
    const { headers } = await call('POST', '/auth/register', { json })
    const { searchParams } = linkIn(await mailTo(email, /^Verify/), '/verify-email')
    const Cookie = /__Host-device=[^;]+/.exec(headers.get('Set-Cookie') ?? '')?.[0] ?? ''
    return { Cookie, json: { email, verificationToken: searchParams.get('verificationToken') ?? '' } }
  }
  const { Cookie, json } = await registered('ana.first@example.com')
  const other = await registered('ben.first@example.com')
  const open = (fields: unknown) =>
    call<VerificationAnswer>('POST', '/auth/verify-email', { json: fields, headers: { Cookie } })
  const { body } = await open(json)
  expect(body.session).toMatchObject({ email: 'ana.first@example.com', role: 'investor' })
  expect(await call('GET', '/users/user-info', { token: body.session?.token ?? '' })).toMatchObject({
    status: 200,
  })
  const elsewhere = await open(other.json)
  expect(elsewhere.status).toBe(200)
  expect(elsewhere.body.session).toBeUndefined()
})
