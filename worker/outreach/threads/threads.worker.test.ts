import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { ContactMessage } from '../../../src/contract/console/messages.ts'
import { MOST_ENTRIES, type OwnThread } from '../../../src/contract/outreach/threads.ts'
import { call } from '../../../test/support/http.ts'
import { as } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'

const write = ({ token }: Person, message: unknown, path = '/users/messages', idempotencyKey?: string) =>
  call<{ _id: string; ref: string; msg: string }>('POST', path, {
    token,
    json: { message },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  })

const threadsOf = async ({ token }: Person) =>
  (await call<OwnThread[]>('GET', '/users/messages', { token })).body

describe('a thread of a signed-in investor', () => {
  test('shows what was written and replied, without naming the operator, and is reopened by writing again', async () => {
    const [ana, operator] = [await newInvestor({ kyc: 'none' }), await newOperator({ name: 'Olu Bello' })]
    const { status, body } = await write(ana, 'Hello')
    expect([status, body.msg]).toEqual([201, 'Thank you for your message. We will answer you by e-mail.'])
    expect(body.ref).toMatch(/^MSG-[0-9A-HJKMNP-TV-Z]{8}$/)
    await as(operator, 'POST', `/operator/messages/${body._id}/reply`, { text: 'Good day', latest: body._id })
    await as(operator, 'POST', `/operator/messages/${body._id}/close`)
    expect(await threadsOf(ana)).toMatchObject([{ status: 'closed' }])

    expect((await write(ana, 'One more thing', `/users/messages/${body._id}`)).body).toMatchObject({
      _id: body._id,
      ref: body.ref,
    })
    const threads = await threadsOf(ana)
    expect(threads).toMatchObject([
      {
        _id: body._id,
        ref: body.ref,
        status: 'open',
        entries: [
          { from: 'you', text: 'Hello' },
          { from: 'support', text: 'Good day' },
          { from: 'you', text: 'One more thing' },
        ],
      },
    ])
    expect(JSON.stringify(threads)).not.toContain('Olu')
    const { body: seen } = await as<ContactMessage>(operator, 'GET', `/operator/messages/${body._id}`)
    expect(seen).toMatchObject({ status: 'open', closedBy: null, isProven: true, replies: 1 })
    expect(Date.parse(seen.openedAt)).toBeGreaterThan(Date.parse(seen.createdAt))
    const { results } = await env.DB.prepare(
      'SELECT actor, action FROM audit_log WHERE subject = ? ORDER BY seq',
    )
      .bind(body._id)
      .all()
    expect(results).toEqual([
      { actor: operator.id, action: 'message.answered' },
      { actor: operator.id, action: 'message.closed' },
      { actor: ana.id, action: 'message.continued' },
    ])
  })

  test('takes a message that names its reference; another investor’s starts a thread of its own', async () => {
    const [ana, ben] = [await newInvestor({ kyc: 'none' }), await newInvestor({ kyc: 'none' })]
    const { body } = await write(ana, 'Hello')
    expect((await write(ana, `About ${body.ref.toLowerCase()}: thank you`)).body._id).toBe(body._id)
    const other = (await write(ben, `About ${body.ref}: and me?`)).body
    expect(other._id).not.toBe(body._id)
    expect((await threadsOf(ana))[0]?.entries).toHaveLength(2)
    expect(await write(ben, 'Let me in', `/users/messages/${body._id}`)).toMatchObject({ status: 404 })
  })

  test('is not joined by the contact form, which proves nobody’s address', async () => {
    const ana = await newInvestor({ kyc: 'none' })
    const { body } = await write(ana, 'Hello')
    const json = { name: 'Ana', email: ana.email, message: `Pay ${body.ref} to me` }
    expect((await call('POST', '/contact-us', { json })).status).toBe(201)
    expect(await threadsOf(ana)).toMatchObject([{ entries: [{ text: 'Hello' }] }])
    const { body: rows } = await as<ContactMessage[]>(
      await newOperator(),
      'GET',
      `/operator/messages?query=${ana.email}`,
    )
    expect(rows).toMatchObject([
      { message: json.message, isProven: false, investor: { _id: ana.id } },
      { message: 'Hello', isProven: true },
    ])
  })

  test('is filed once under one key, and refuses what is empty, too long, or from an operator', async () => {
    const ana = await newInvestor({ kyc: 'none' })
    const [first, again] = [
      await write(ana, 'Once', '/users/messages', 'key-1'),
      await write(ana, 'Once', '/users/messages', 'key-1'),
    ]
    expect([again.body._id, again.headers.get('Idempotency-Replayed')]).toEqual([first.body._id, 'true'])
    expect(await threadsOf(ana)).toHaveLength(1)
    for (const path of ['/users/messages', `/users/messages/${first.body._id}`]) {
      for (const message of [undefined, '  '])
        expect(await write(ana, message, path)).toMatchObject({
          status: 422,
          body: { fields: { message: 'Message is required' } },
        })
      expect((await write(ana, 'x'.repeat(5001), path)).status).toBe(422)
      expect(await write(await newOperator(), 'Hello', path)).toMatchObject({ status: 403 })
    }
  })

  test('that is very long takes no more: the next message starts another', async () => {
    const ana = await newInvestor({ kyc: 'none' })
    const { body } = await write(ana, 'Hello')
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ${MOST_ENTRIES})
       INSERT INTO thread_entries (thread, place, id, text, at) SELECT ?1, i, ?1 || i, 'More', 1 FROM n`,
    )
      .bind(body._id)
      .run()
    expect((await write(ana, 'And more', `/users/messages/${body._id}`)).body._id).not.toBe(body._id)
  })
})
