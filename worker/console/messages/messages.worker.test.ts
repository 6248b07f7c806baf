import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { ContactMessage } from '../../../src/contract/console/messages.ts'
import type { SearchResults } from '../../../src/contract/console/search.ts'
import type { WorkItem } from '../../../src/contract/console/workItems.ts'
import { call } from '../../../test/support/http.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { as, deposit } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'

let senders = 0

/** A message of the contact form, as the console shows it. */
async function received(by: Operator, message = 'Where is my money?'): Promise<ContactMessage> {
  const email = `sender${++senders}@example.com`
  expect((await call('POST', '/contact-us', { json: { name: 'Ana', email, message } })).status).toBe(201)
  const [found] = (await as<ContactMessage[]>(by, 'GET', `/operator/messages?query=${email}`)).body
  if (found === undefined) throw new Error('The message did not arrive')
  return found
}

const reply = (by: Operator, id: string, json: object, idempotencyKey?: string) =>
  call<ContactMessage>('POST', `/operator/messages/${id}/reply`, {
    token: by.token,
    json,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  })

const waiting = async (by: Operator) =>
  (await as<{ message: number }>(by, 'GET', '/operator/waiting')).body.message

test('a contact message is open until an operator closes it, once', async () => {
  const operator = await newOperator({ name: 'Olu Bello' })
  for (const message of ['First', 'Second']) {
    const json = { name: 'Ana', email: 'ana@example.com', message }
    expect((await call('POST', '/contact-us', { json })).status).toBe(201)
  }
  const open = await as<ContactMessage[]>(operator, 'GET', '/operator/messages?status=open&limit=1')
  const [second] = open.body
  expect(second).toMatchObject({
    message: 'Second',
    email: 'ana@example.com',
    status: 'open',
    isProven: false,
    replies: 0,
    closedBy: null,
  })
  const [, next = ''] = /<\/api\/v1(.+)>/.exec(open.headers.get('Link') ?? '') ?? []
  const [first] = (await as<ContactMessage[]>(operator, 'GET', next)).body
  expect(first).toMatchObject({ message: 'First' })

  const path = `/operator/messages/${first?._id}/close`
  const closed = await as<ContactMessage>(operator, 'POST', path)
  expect(closed).toMatchObject({
    status: 200,
    body: { ...first, waitsSince: null, dueAt: null, status: 'closed', closedBy: 'Olu Bello' },
  })
  expect(await as(operator, 'POST', path)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
  const list = await as<ContactMessage[]>(operator, 'GET', '/operator/messages?status=closed')
  expect(list.body).toMatchObject([
    { ...first, status: 'closed', waitsSince: null, dueAt: null, closedBy: 'Olu Bello' },
  ])
})

describe('a reply', () => {
  test('is mailed to the sender under the thread’s reference, and the thread is answered', async () => {
    const operator = await newOperator({ name: 'Olu Bello' })
    const { _id, ref, email } = await received(operator)
    const before = await waiting(operator)
    const text = 'It arrived today.\nWe credited it.\n\nSee https://invest.example/fees for <costs>.'
    const own = text.replace('https://invest.example', env.PUBLIC_ORIGIN)
    const answered = await reply(operator, _id, { text: own, latest: _id })
    expect(answered).toMatchObject({
      status: 200,
      body: {
        status: 'answered',
        replies: 1,
        answeredBy: 'Olu Bello',
        entries: [
          { _id, by: null, text: 'Where is my money?' },
          { by: 'Olu Bello', text: own },
        ],
      },
    })
    expect((await as(operator, 'GET', `/operator/messages/${_id}`)).body).toEqual(answered.body)
    expect(await waiting(operator)).toBe(before - 1)
    const mail = await mailTo(email)
    expect(mail.subject).toBe(`Our reply to your message ${ref}`)
    expect(mail.text).toContain('It arrived today.\nWe credited it.')
    expect(mail.text).toContain(`Reference: ${ref}. If you write again, please name it.`)
    expect(mail.html).toContain('It arrived today.<br>We credited it.')
    expect(mail.html).toContain('&lt;costs&gt;')
  })

  test('is sent once, however often its button is pressed', async () => {
    const operator = await newOperator()
    const { _id, email } = await received(operator)
    const json = { text: 'Once', latest: _id }
    const replies = await Promise.all([1, 2, 3].map(() => reply(operator, _id, json, `reply-${_id}`)))
    for (const { status } of replies) expect([200, 409]).toContain(status)
    expect((await reply(operator, _id, json, `reply-${_id}`)).headers.get('Idempotency-Replayed')).toBe(
      'true',
    )
    // Without a key, the second one answers an entry that is no longer the newest.
    expect(await reply(operator, _id, json)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await mailsTo(email)).toBe(1)
    const { results } = await env.DB.prepare(
      "SELECT detail FROM audit_log WHERE subject = ? AND action = 'message.answered'",
    )
      .bind(_id)
      .all<{ detail: string }>()
    expect(results).toHaveLength(1)
    expect(results[0]?.detail).not.toContain('Once')
  })

  test('of two operators at once is sent by one of them only', async () => {
    const both = await Promise.all([newOperator(), newOperator()])
    const { _id, email } = await received(both[0])
    const replies = await Promise.all(both.map((by) => reply(by, _id, { text: 'Mine', latest: _id })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await mailsTo(email)).toBe(1)
  })

  test('is refused without words, with a placeholder left, a foreign link, or unread entries', async () => {
    const operator = await newOperator()
    const { _id, email } = await received(operator)
    const refused = async (json: object) => {
      const { status, body } = await reply(operator, _id, json)
      return [
        status,
        (body as { fields?: unknown; code?: string }).fields ?? (body as { code?: string }).code,
      ]
    }
    expect(await refused({ text: ' ', latest: _id })).toEqual([422, { text: 'Please write the reply' }])
    expect(await refused({ text: 'Your {amount} is there', latest: _id })).toEqual([
      422,
      { text: 'Please fill in {amount}' },
    ])
    expect(await refused({ text: 'Sign in at https://evenkee1.example/x', latest: _id })).toEqual([
      422,
      {
        text: 'A message to an investor may name only our own addresses and numbers. Please remove https://evenkee1.example/x',
      },
    ])
    for (const text of ['Sign in at evenkee1.example', 'Call +1 555 010 0199', 'Write to help@evil.example'])
      expect((await refused({ text, latest: _id }))[0]).toBe(422)
    expect(await refused({ text: 'x'.repeat(5001), latest: _id })).toEqual([
      422,
      { text: 'Please use at most 5000 characters' },
    ])
    expect(await refused({ text: 'Hello' })).toEqual([
      422,
      { latest: 'Please name the latest entry that you read' },
    ])
    expect(await refused({ text: 'Hello', latest: 'another' })).toEqual([409, 'conflict'])
    expect(await mailsTo(email)).toBe(0)
  })

  test('counts to the daily limit of messages together with notifications', async () => {
    const [operator, other] = [await newOperator(), await newOperator()]
    const { _id } = await received(operator)
    for (let n = 0; n < 19; n++)
      await env.DB.prepare('INSERT INTO notification_sends (operator, at) VALUES (?, ?)')
        .bind(operator.id, Date.now())
        .run()
    const first = await reply(operator, _id, { text: 'Hello', latest: _id })
    const latest = first.body.entries?.at(-1)?._id ?? ''
    expect(await reply(operator, _id, { text: 'Once more', latest })).toMatchObject({
      status: 429,
      body: { code: 'too_many_notifications' },
    })
    expect((await reply(other, _id, { text: 'Once more', latest })).status).toBe(200)
  })

  test('cannot be written by an auditor or a treasurer, nor can a thread be closed or reopened by them', async () => {
    const operator = await newOperator()
    const { _id, email } = await received(operator)
    for (const role of ['auditor', 'treasurer'] as const) {
      const other = await newOperator({ roles: [role] })
      expect((await as(other, 'GET', `/operator/messages/${_id}`)).status).toBe(200)
      for (const step of ['reply', 'close', 'reopen'])
        expect(
          await as(other, 'POST', `/operator/messages/${_id}/${step}`, { text: 'Hello', latest: _id }),
        ).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    }
    expect(await mailsTo(email)).toBe(0)
  })
})

describe('a closed thread', () => {
  test('takes no reply until it is reopened, which is audited', async () => {
    const operator = await newOperator()
    const { _id } = await received(operator)
    expect(await as(operator, 'POST', `/operator/messages/${_id}/reopen`)).toMatchObject({
      status: 409,
      body: { code: 'already_decided' },
    })
    await as(operator, 'POST', `/operator/messages/${_id}/close`)
    expect(await reply(operator, _id, { text: 'Late', latest: _id })).toMatchObject({
      status: 409,
      body: { code: 'already_decided', msg: 'This thread is closed. Reopen it to reply.' },
    })
    const before = await waiting(operator)
    const reopened = await as<ContactMessage>(operator, 'POST', `/operator/messages/${_id}/reopen`)
    expect(reopened).toMatchObject({ status: 200, body: { status: 'open', closedBy: null } })
    expect(await waiting(operator)).toBe(before + 1)
    expect((await reply(operator, _id, { text: 'In time', latest: _id })).status).toBe(200)
    const { results } = await env.DB.prepare('SELECT action FROM audit_log WHERE subject = ? ORDER BY seq')
      .bind(_id)
      .all<{ action: string }>()
    expect(results.map(({ action }) => action)).toEqual([
      'message.closed',
      'message.reopened',
      'message.answered',
    ])
  })

  test('is refused by the database itself what its status does not allow', async () => {
    const operator = await newOperator()
    const { _id } = await received(operator)
    await as(operator, 'POST', `/operator/messages/${_id}/close`)
    const answer = env.DB.prepare(
      "UPDATE contact_messages SET status = 'answered', closed_at = NULL WHERE id = ?",
    )
    await expect(answer.bind(_id).run()).rejects.toThrow('already_decided')
  })
})

test('of the writer’s documents, the newest of their identity is in the state of the account', async () => {
  const [operator, ana] = [await newOperator(), await newInvestor()]
  const form = { kind: 'address', document: 'Utility bill', image: newPicture() }
  expect((await call('POST', '/kyc', { token: ana.token, form })).status).toBe(201)
  const { body } = await call<{ _id: string }>('POST', '/users/messages', {
    token: ana.token,
    json: { message: 'Is my account verified?' },
  })
  const thread = await as<ContactMessage>(operator, 'GET', `/operator/messages/${body._id}`)
  expect(thread.body.situation).toMatchObject([{ kind: 'kyc', status: 'approved' }])
})

test('references in a thread lead to their cases, and say whose they are', async () => {
  const operator = await newOperator()
  const [ana, ben] = await Promise.all([newInvestor(), newInvestor()])
  const [mine, theirs] = await Promise.all([deposit(ana, '500'), deposit(ben, '70')])
  const { results } = await env.DB.prepare('SELECT id, ref FROM requests WHERE id IN (?, ?)')
    .bind(mine, theirs)
    .all<{ id: string; ref: string }>()
  const refOf = (id: string) => results.find((row) => row.id === id)?.ref ?? ''
  const message = `Where is ${refOf(mine).toLowerCase()}? And ${refOf(theirs)}, ${refOf(mine)}, DEP-00000000?`
  const { body: filed } = await call<{ _id: string; ref: string }>('POST', '/users/messages', {
    token: ana.token,
    json: { message },
  })
  const { body } = await as<ContactMessage>(operator, 'GET', `/operator/messages/${filed._id}`)
  expect(body).toMatchObject({
    isProven: true,
    investor: { _id: ana.id },
    mentioned: [
      { ref: refOf(mine), kind: 'deposit', _id: mine, status: 'pending', amount: 500, isTheirs: true },
      { ref: refOf(theirs), kind: 'deposit', _id: theirs, amount: 70, isTheirs: false },
    ],
  })
  const found = await as<SearchResults>(operator, 'POST', '/operator/search', {
    query: filed.ref.toLowerCase(),
  })
  expect(found.body.cases).toMatchObject([{ _id: filed._id, kind: 'message', status: 'open', amount: null }])
  const list = await as<ContactMessage[]>(operator, 'GET', `/operator/messages?query=${filed.ref}`)
  expect(list.body.map(({ _id }) => _id)).toEqual([filed._id])
})

test('what may be a complaint or from an authority is marked, and comes first while it waits', async () => {
  const operator = await newOperator()
  const ana = await newInvestor()
  const plain = await received(operator, 'A question')
  const complaint = await received(operator, 'This is a formal COMPLAINT.')
  const authority = await received(operator, 'We have a court order.')
  const again = await call<{ _id: string }>('POST', '/users/messages', {
    token: ana.token,
    json: { message: 'Hello' },
  })
  expect([plain.topic, complaint.topic, authority.topic]).toEqual([null, 'complaint', 'authority'])
  expect(await received(operator, 'Which data that you have is mine?')).toMatchObject({ topic: 'data' })
  // Written later in a thread, it counts, too. What operators write does not.
  await call('POST', `/users/messages/${again.body._id}`, {
    token: ana.token,
    json: { message: 'I complain.' },
  })
  await reply(operator, plain._id, { text: 'Is it a complaint?', latest: plain._id })
  await as(operator, 'POST', `/operator/messages/${plain._id}/reopen`)
  const ids = [plain._id, complaint._id, authority._id, again.body._id]
  const listed: ContactMessage[] = []
  let next = '/operator/messages?status=open&order=oldest&limit=1'
  while (next !== '') {
    const page = await as<ContactMessage[]>(operator, 'GET', next)
    listed.push(...page.body)
    next = /<\/api\/v1(.+)>/.exec(page.headers.get('Link') ?? '')?.[1] ?? ''
  }
  expect(listed.filter(({ _id }) => ids.includes(_id)).map(({ _id, topic }) => [_id, topic])).toEqual([
    [complaint._id, 'complaint'],
    [authority._id, 'authority'],
    [again.body._id, 'complaint'],
    [plain._id, null],
  ])
  const { body } = await as<{ items: WorkItem[] }>(operator, 'GET', '/operator/work')
  expect(body.items.find(({ _id }) => _id === complaint._id)?.topic).toBe('complaint')
})

async function mailsTo(email: string): Promise<number> {
  const row = await env.DB.prepare('SELECT count(*) AS mails FROM outbox WHERE recipient = ?')
    .bind(email)
    .first<{ mails: number }>()
  return row?.mails ?? 0
}
