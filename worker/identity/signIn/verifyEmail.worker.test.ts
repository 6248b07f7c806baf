import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { AnswerOf } from '../../../src/contract/endpoint.ts'
import type { verifyEmail } from '../../../src/contract/identity/signIn.ts'
import { call } from '../../../test/support/http.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { newInvestor } from '../../../test/support/people.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'

type Verified = AnswerOf<typeof verifyEmail>

async function mailedLink(email: string) {
  await call('POST', '/auth/resend-verification', { json: { email } })
  const { searchParams } = linkIn(await mailTo(email, /^Verify/), '/verify-email')
  return { email, verificationToken: searchParams.get('verificationToken') ?? '' }
}

const verify = (json: unknown) => call('POST', '/auth/verify-email', { json })

describe('verifying an address', () => {
  test('a verification link works once', async () => {
    const ana = await newInvestor({ verified: false })
    const link = await mailedLink(ana.email)
    expect(await verify({ ...link, email: ana.email.toUpperCase() })).toMatchObject({ status: 200 })
    expect(await verify(link)).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  test('only a hash of the verification link is stored', async () => {
    const ana = await newInvestor({ verified: false })
    const { verificationToken } = await mailedLink(ana.email)
    const { results } = await env.DB.prepare('SELECT * FROM email_tokens WHERE user_id = ?')
      .bind(ana.id)
      .all()
    expect(JSON.stringify(results)).not.toContain(verificationToken)
    expect(results).toContainEqual(
      expect.objectContaining({ token_hash: await sha256Hex(verificationToken) }),
    )
  })

  test('works once among fifty at the same moment', async () => {
    const ana = await newInvestor({ verified: false })
    const link = await mailedLink(ana.email)
    const replies = await Promise.all(Array.from({ length: 50 }, () => verify(link)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ body }) => body.code === 'invalid_token')).toHaveLength(49)
  })

  test('wrong, expired and foreign tokens and those for another purpose get the same answer', async () => {
    const ana = await newInvestor({ verified: false })
    const ben = await newInvestor({ verified: false })
    const link = await mailedLink(ana.email)
    const replies = [
      await verify({ email: ana.email, verificationToken: 'wrong' }),
      await verify({ email: ben.email, verificationToken: link.verificationToken }),
      await verify({ email: 'nobody@example.com', verificationToken: link.verificationToken }),
    ]
    await call('POST', '/auth/forgot-password', { json: { email: ben.email } })
    const reset = linkIn(await mailTo(ben.email, /new password/)).searchParams.get('token')
    replies.push(await verify({ email: ben.email, verificationToken: reset }))
    await env.DB.prepare('UPDATE email_tokens SET expires_at = ? WHERE user_id = ?')
      .bind(Date.now() - 1, ana.id)
      .run()
    replies.push(await verify(link))
    for (const reply of replies) {
      expect(reply.status).toBe(400)
      expect(reply.body).toEqual(replies[0]?.body)
    }
  })

  test('a verification link works for 24 hours', async () => {
    const ana = await newInvestor({ verified: false })
    const link = await mailedLink(ana.email)
    const life = await env.DB.prepare(
      'SELECT max(expires_at - created_at) AS life FROM email_tokens WHERE user_id = ?',
    )
      .bind(ana.id)
      .first('life')
    expect(life).toBe(24 * 3_600_000)
    expect(await verify(link)).toMatchObject({ status: 200 })
  })

  test('a token cannot be spent again by SQL either', async () => {
    const ana = await newInvestor({ verified: false })
    await verify(await mailedLink(ana.email))
    await expect(
      env.DB.prepare('UPDATE email_tokens SET used_at = 1 WHERE user_id = ?').bind(ana.id).run(),
    ).rejects.toThrow('invalid_token')
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

  test('sends at most ten mails an hour, with the same answer', async () => {
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
    const Cookie = /[^ ,;]*evenkeel-device=[^;]+/.exec(headers.get('Set-Cookie') ?? '')?.[0] ?? ''
    return { Cookie, json: { email, verificationToken: searchParams.get('verificationToken') ?? '' } }
  }
  const { Cookie, json } = await registered('ana.first@example.com')
  const other = await registered('ben.first@example.com')
  const open = (fields: unknown) =>
    call<Verified>('POST', '/auth/verify-email', { json: fields, headers: { Cookie } })
  const { body } = await open(json)
  expect(body.session).toMatchObject({ email: 'ana.first@example.com', role: 'investor' })
  expect(await call('GET', '/users/user-info', { token: body.session?.token ?? '' })).toMatchObject({
    status: 200,
  })
  const elsewhere = await open(other.json)
  expect(elsewhere.status).toBe(200)
  expect(elsewhere.body.session).toBeUndefined()
})
