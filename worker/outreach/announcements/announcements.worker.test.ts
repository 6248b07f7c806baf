import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Proposal } from '../../../src/contract/console/proposals.ts'
import {
  MOST_READERS,
  NOTICE_REASON,
  renderAnnouncement,
  SERVICE,
} from '../../../src/contract/outreach/announcements.ts'
import type { ReceivedNotification } from '../../../src/contract/outreach/notifications.ts'
import { site } from '../../../src/site.ts'
import { cost } from '../../../test/support/cost.ts'
import { call, send } from '../../../test/support/http.ts'
import { linkIn, mailsTo } from '../../../test/support/mailbox.ts'
import { approveProposal, as, propose } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator, type Person } from '../../../test/support/people.ts'
import { JOBS } from '../../cron.ts'
import { openDatabase } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { deliverOutbox } from '../../lib/mail/outbox.ts'
import { limitDatabase, WorkBudget } from '../../lib/workBudget.ts'
import { sendAnnouncements } from './send.ts'

const db = openDatabase(env.DB)
const NEWS = {
  kind: 'announcement',
  topic: 'features',
  subject: 'Two new things',
  text: 'The first.\n\nThe second.',
}
const NOTICE = {
  kind: 'service_notice',
  topic: undefined,
  subject: 'Maintenance',
  text: 'On Sunday.\n\nOne hour.',
}

let [first, second]: Operator[] = []
beforeEach(async () => {
  ;[first, second] = [await newOperator(), await newOperator()]
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** Calls by one of two operators. */
const operators = () => [first as Operator, second as Operator] as const

async function announce(more: object = {}): Promise<string> {
  const [ana, ben] = operators()
  const { body } = await propose(ana, { ...NEWS, ...more })
  expect((await approveProposal(ben, body._id)).status).toBe(200)
  return body._id
}

const choose = ({ token }: Person, emails: object) =>
  call('PATCH', '/users/preferences', { token, json: { emails } })

async function subjectsTo({ email }: Person): Promise<string[]> {
  return (await mailsTo(email)).map(({ subject }) => subject)
}

async function standing(proposal: string) {
  const row = await env.DB.prepare(
    'SELECT mails, finished_at AS finishedAt FROM announcements WHERE proposal = ?',
  )
    .bind(proposal)
    .first<{ mails: number; finishedAt: number | null }>()
  return row ?? { mails: -1, finishedAt: null }
}

const everybody = (count: number) =>
  Promise.all(Array.from({ length: count }, () => newInvestor({ kyc: 'none' })))

/** Runs the job until an announcement is finished. */
async function finish(proposal: string): Promise<void> {
  for (let run = 0; run < 9 && (await standing(proposal)).finishedAt === null; run++)
    await sendAnnouncements(env, db, Date.now())
}

/** A database that fails at every other write. */
function createFailingDatabase(): { database: D1Database; countBatches: () => number } {
  let batches = 0
  const database = new Proxy(env.DB, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (name === 'batch')
        return async (statements: D1PreparedStatement[]) => {
          if (statements.length > 2 && batches++ % 2 === 0) throw new Error('killed')
          return target.batch(statements)
        }
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { database, countBatches: () => batches }
}

describe('an announcement', () => {
  test('is proposed by one operator, approved by another, and mailed to subscribers of its topic', async () => {
    const [ana, ben] = operators()
    const reader = await newInvestor()
    const proposed = await call<Proposal>('POST', '/operator/proposals', { token: ana.token, json: NEWS })
    const { kind, topic, subject, text } = NEWS
    expect(proposed).toMatchObject({ status: 201, body: { kind, announcement: { topic, subject, text } } })
    const own = await approveProposal(ana, proposed.body._id)
    expect([own.status, own.body.code]).toEqual([403, 'second_operator_required'])
    await sendAnnouncements(env, db, Date.now())
    expect(await subjectsTo(reader)).toEqual([])

    expect((await approveProposal(ben, proposed.body._id)).status).toBe(200)
    await sendAnnouncements(env, db, Date.now())
    const [mail] = await mailsTo(reader.email)
    expect(mail?.subject).toBe(subject)
    expect(mail?.text).toContain('Hello Ana Torres,\n\nThe first.\n\nThe second.\n\n')
    expect(await standing(proposed.body._id)).toMatchObject({ finishedAt: expect.any(Number) })
  })

  test('ends with one click, which leaves the other topics', async () => {
    const reader = await newInvestor()
    await announce()
    await sendAnnouncements(env, db, Date.now())
    const [mail] = await mailsTo(reader.email)
    if (mail === undefined) throw new Error('no mail came')
    const url = new URL(/^<(.+)>$/.exec(mail.headers['List-Unsubscribe'] ?? '')?.[1] ?? '')
    expect(linkIn(mail, '/unsubscribe').searchParams.get('token')).toBe(url.searchParams.get('token'))
    await call('POST', `${url.pathname.replace('/api/v1', '')}${url.search}`, {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      raw: 'List-Unsubscribe=One-Click',
    })
    await announce({ subject: 'Unwanted' })
    await announce({ subject: 'Wanted', topic: 'tips' })
    for (let run = 0; run < 2; run++) await sendAnnouncements(env, db, Date.now())
    expect(await subjectsTo(reader)).toEqual(['Wanted', NEWS.subject])
  })

  test('skips people who turned it off, are unverified, frozen, closed or operators, or joined later', async () => {
    const [reader, off, unproved, frozen] = [
      await newInvestor(),
      await newInvestor(),
      await newInvestor({ verified: false }),
      await newInvestor({ frozen: true }),
    ]
    await choose(off, { features: false })
    const left = await newInvestor()
    await env.DB.batch(
      [
        'UPDATE sessions SET ended_at = 1 WHERE user_id = ?',
        'UPDATE users SET closed_at = 1 WHERE id = ?',
      ].map((sql) => env.DB.prepare(sql).bind(left.id)),
    )
    const id = await announce()
    const later = await newInvestor()
    await sendAnnouncements(env, db, Date.now())
    expect(await subjectsTo(reader)).toEqual([NEWS.subject])
    for (const person of [off, unproved, frozen, left, later, ...operators()])
      expect(await subjectsTo(person)).not.toContain(NEWS.subject)
    expect((await standing(id)).finishedAt).not.toBeNull()
  })

  test.each([
    [{ topic: 'unusualActivity' }, 'topic', 'topic is one of salesNews, features, tips'],
    [{ subject: ' ' }, 'subject', 'Please give the mail a subject'],
    [{ subject: 'One\nBcc: two' }, 'subject', 'A subject is one line'],
    [{ text: '' }, 'text', 'Please write the mail'],
  ])('is refused as %j', async (more, field, problem) => {
    const { status, body } = await propose(operators()[0], { ...NEWS, ...more })
    expect([status, body.fields]).toEqual([422, { [field]: problem }])
  })

  test('cannot be approved twice, nor sent by anybody but an operator', async () => {
    const id = await announce()
    const again = await approveProposal(operators()[1], id)
    expect([again.status, again.body.code]).toEqual([409, 'already_decided'])
    const investor = await newInvestor()
    expect((await call('POST', '/operator/proposals', { token: investor.token, json: NEWS })).status).toBe(
      403,
    )
  })
})

describe('sending it', () => {
  test('each of many readers gets one mail, also with parallel runs', async () => {
    const readers = await everybody(35)
    const subject = 'For many'
    const id = await announce({ subject })
    for (let run = 0; run < 8; run++)
      await Promise.all([1, 2, 3].map(() => sendAnnouncements(env, db, Date.now())))
    for (const reader of readers) expect(await subjectsTo(reader)).toEqual([subject])
    const { results } = await env.DB.prepare('SELECT recipient FROM outbox WHERE subject = ?')
      .bind(subject)
      .all()
    expect(new Set(results.map(({ recipient }) => recipient)).size).toBe(results.length)
    expect(await standing(id)).toEqual({ mails: results.length, finishedAt: expect.any(Number) })
  })

  test('continues after a kill in the middle, and nobody gets a second mail', async () => {
    const readers = await everybody(25)
    await announce()
    const { database: failing, countBatches } = createFailingDatabase()
    for (let run = 0; run < 8; run++)
      await sendAnnouncements({ ...env, DB: failing }, openDatabase(failing), Date.now()).catch(
        () => undefined,
      )
    expect(countBatches()).toBeGreaterThan(3)
    for (const reader of readers) expect(await subjectsTo(reader)).toEqual([NEWS.subject])
  })

  test('pauses while a page cannot be delivered, so that codes are not delayed', async () => {
    const readers = await everybody(25)
    const subject = 'While nothing goes out'
    await announce({ subject })
    vi.stubGlobal('fetch', async () => new Response('{}', { status: 500 }))
    const down: Env = { ...env, RESEND_API_KEY: 're_test', MAIL_FROM: 'Evenkeel <no-reply@evenkeel.example>' }
    const nowMs = Date.now()
    const waiting = async () => {
      const query = env.DB.prepare(
        'SELECT count(*) AS n FROM outbox WHERE subject = ? AND delivered_at IS NULL',
      )
      return (await query.bind(subject).first<{ n: number }>())?.n
    }
    for (const minute of [0, 1, 2, 5]) {
      await sendAnnouncements(down, db, nowMs + minute * 60_000)
      expect(await waiting()).toBe(10)
    }
    vi.unstubAllGlobals()
    await deliverOutbox(env, db, nowMs + 3_600_000)
    expect(await waiting()).toBe(0)
    for (let run = 0; run < 3; run++) await sendAnnouncements(env, db, nowMs + 3_600_000)
    for (const reader of readers) expect(await subjectsTo(reader)).toEqual([subject])
  })

  test('turning a topic off removes waiting and later mails', async () => {
    const reader = await newInvestor()
    const insert = env.DB.prepare(
      'INSERT INTO outbox (id, recipient, subject, list, created_at, next_attempt_at) VALUES (?1, ?2, ?1, ?3, 1, 9e15)',
    )
    const write = (id: string, list: string | null) => insert.bind(id, reader.email, list).run()
    await write('news', 'salesNews')
    await write('tip', 'tips')
    await write('a lock', null)
    await choose(reader, { salesNews: false })
    await write('more news', 'salesNews')
    expect((await subjectsTo(reader)).sort()).toEqual(['a lock', 'tip'])
    await choose(reader, { tips: false })
    expect(await subjectsTo(reader)).toEqual(['a lock'])
  })
})

describe('a service notice', () => {
  const received = async (person: Person) =>
    (await as<ReceivedNotification[]>(person, 'GET', '/users/notifications')).body.filter(
      ({ title }) => title === NOTICE.subject,
    )
  const countReach = async () => {
    const path = `/operator/announcements/reach?topic=${SERVICE}`
    return (await as<{ readers: number }>(operators()[0], 'GET', path)).body.readers
  }
  const noticesTo = async (person: Person) =>
    (await mailsTo(person.email)).filter(({ subject }) => subject === NOTICE.subject)

  test('takes two administrators, and reaches investors who turned everything off, by mail and in their notifications', async () => {
    const [ana, ben] = operators()
    const off = await newInvestor({ kyc: 'none' })
    await choose(off, { salesNews: false, features: false, tips: false, unusualActivity: false })
    const frozen = await newInvestor({ frozen: true })
    const proposed = await propose(ana, NOTICE)
    const { subject, text } = NOTICE
    const announcement = { topic: SERVICE, subject, text }
    expect(proposed).toMatchObject({ status: 201, body: { kind: 'service_notice', announcement } })
    const id = proposed.body._id
    expect(await approveProposal(ana, id)).toMatchObject({
      status: 403,
      body: { code: 'second_operator_required' },
    })
    await sendAnnouncements(env, db, Date.now())
    expect([await noticesTo(off), await received(off)]).toEqual([[], []])

    expect((await approveProposal(ben, id)).status).toBe(200)
    const show = () => as<Proposal>(ana, 'GET', `/operator/proposals/${id}`)
    expect((await show()).body.sending).toEqual({ mails: 0, finishedAt: null })
    await finish(id)
    const { mails } = await standing(id)
    expect((await show()).body.sending).toEqual({ mails, finishedAt: expect.any(String) })
    for (const person of [off, frozen]) {
      const [mail, ...others] = await noticesTo(person)
      expect(others).toEqual([])
      expect(mail?.text).toBe(renderAnnouncement(text, { brand: site.brand, name: 'Ana Torres', link: null }))
      expect(mail?.text).toContain(NOTICE_REASON)
      expect(mail?.text).not.toContain('unsubscribe')
      expect(mail?.headers).toEqual({})
      expect(await received(person)).toMatchObject([{ content: '<p>On Sunday.</p><p>One hour.</p>' }])
    }
    const { results } = await env.DB.prepare('SELECT action FROM audit_log WHERE subject = ? ORDER BY seq')
      .bind(id)
      .all()
    expect(results.map(({ action }) => action)).toEqual([
      'proposal.created',
      'proposal.approved',
      'service_notice.approved',
    ])
    const file = await send('GET', '/operator/proposals?format=csv', { token: ana.token })
    expect(await file.text()).toContain('"Service notice","Mail to every investor: Maintenance","Approved"')
  })

  test('does not reach closed accounts, unverified addresses, operators, or people who registered after its approval', async () => {
    const unproved = await newInvestor({ verified: false })
    const left = await newInvestor({ kyc: 'none' })
    const close = { token: left.token, json: { password: left.password } }
    expect((await call('POST', '/users/close', close)).status).toBe(200)
    const id = await announce(NOTICE)
    const later = await newInvestor({ kyc: 'none' })
    await finish(id)
    for (const person of [unproved, left, later, ...operators()]) expect(await noticesTo(person)).toEqual([])
    expect(await received(later)).toEqual([])
  })

  test('comes once by mail and once in the notifications, through crashes and overlapping runs', async () => {
    const readers = await everybody(25)
    const reach = await countReach()
    const id = await announce(NOTICE)
    const { database: failing, countBatches } = createFailingDatabase()
    for (let run = 0; run < 6; run++)
      await Promise.all(
        [failing, env.DB, failing].map((database) =>
          sendAnnouncements({ ...env, DB: database }, openDatabase(database), Date.now()).catch(
            () => undefined,
          ),
        ),
      )
    await finish(id)
    expect(countBatches()).toBeGreaterThan(3)
    for (const reader of readers)
      expect([(await noticesTo(reader)).length, (await received(reader)).length]).toEqual([1, 1])
    expect((await standing(id)).mails).toBe(reach)
  })

  test('ends also if its last page is full and ends with the newest account', async () => {
    const reach = await countReach()
    await everybody(10 - (reach % 10))
    const id = await announce(NOTICE)
    await finish(id)
    const { mails, finishedAt } = await standing(id)
    expect([mails, finishedAt]).toEqual([reach + 10 - (reach % 10), expect.any(Number)])
  })

  test('goes before news that was approved earlier, and a full page of it fits the share of its job', async () => {
    await everybody(10)
    const [news, id] = [await announce(), await announce(NOTICE)]
    const statements = JOBS.announcements.statements
    const limited = limitDatabase(env.DB, new WorkBudget({ statements, ms: 60_000 }))
    await sendAnnouncements({ ...env, DB: limited }, openDatabase(limited), Date.now())
    expect([(await standing(id)).mails, (await standing(news)).mails]).toEqual([10, 0])
    for (const proposal of [id, news]) await finish(proposal)
  })

  test('is not mailed to an account that was closed while it waited', async () => {
    const reader = await newInvestor({ kyc: 'none' })
    const insert = env.DB.prepare(
      'INSERT INTO outbox (id, recipient, subject, list, created_at, next_attempt_at) VALUES (?1, ?2, ?1, ?3, 1, 9e15)',
    )
    for (const list of [SERVICE, 'tips', 'newsletter'])
      await insert.bind(`to leave ${list}`, reader.email, list).run()
    const close = { token: reader.token, json: { password: reader.password } }
    expect((await call('POST', '/users/close', close)).status).toBe(200)
    const waiting = (await subjectsTo(reader)).filter((subject) => subject.startsWith('to leave'))
    expect(waiting).toEqual(['to leave newsletter'])
  })
})

describe('the database', () => {
  test('only announcements that two operators decided are sent, exactly as decided', async () => {
    const [ana] = operators()
    const { body } = await propose(ana, NEWS)
    const insert = env.DB.prepare(
      'INSERT INTO announcements (proposal, topic, subject, text, approved_at, last_seq) VALUES (?, ?, ?, ?, 1, 9)',
    )
    const { topic, subject, text } = NEWS
    await expect(insert.bind(body._id, topic, subject, text).run()).rejects.toThrow(
      'second_operator_required',
    )
    const id = await announce()
    await expect(insert.bind(id, topic, subject, text).run()).rejects.toThrow('must start unsent')
    const set = (what: string) =>
      env.DB.prepare(`UPDATE announcements SET ${what} WHERE proposal = '${id}'`).run()
    await expect(set("text = 'Something else'")).rejects.toThrow('immutable')
    await expect(set('sent_to_seq = 0')).rejects.toThrow('already_decided')
    await expect(env.DB.prepare('DELETE FROM announcements').run()).rejects.toThrow('never deleted')
  })
})

describe('before it is sent, an announcement', () => {
  test('is counted before it is sent, and previewed in the words of the mail', async () => {
    const [ana] = operators()
    const reach = async (topic: string) => {
      const path = `/operator/announcements/reach?topic=${topic}`
      return (await call<{ readers: number }>('GET', path, { token: ana.token })).body.readers
    }
    const reader = await newInvestor()
    const [before, tips] = [await reach('features'), await reach('tips')]
    await choose(await newInvestor(), { features: false })
    expect([await reach('features'), await reach('tips')]).toEqual([before, tips + 1])
    expect((await call('GET', '/operator/announcements/reach', { token: ana.token })).status).toBe(422)

    await announce()
    // All people of earlier tests get it, too, so several runs are needed.
    for (let run = 0; run < 3; run++) await sendAnnouncements(env, db, Date.now())
    const [mail] = await mailsTo(reader.email)
    const link = /Turn these mails off: (\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
    expect(mail?.text).toBe(renderAnnouncement(NEWS.text, { brand: site.brand, name: 'Ana Torres', link }))
  })
})

test.each(['tips', SERVICE])(
  'readers are counted up to a limit, and counting more costs no more: %s',
  async (topic) => {
    const [ana] = operators()
    const add = (part: number) =>
      env.DB.prepare(
        `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO users (id, role, email, email_verified_at, fullname, display_name, phone, country, password_hash, created_at, referral_code)
       SELECT ?2 || i, 'investor', ?2 || i || '@example.org', 1, '', '', '', 'Switzerland', '', 1, ?2 || i FROM n`,
      )
        .bind(MOST_READERS, `${topic}${part}-`)
        .run()
    const count = () => cost('GET', `/operator/announcements/reach?topic=${topic}`, { token: ana.token })
    await add(1)
    const first = await count()
    expect(first.body).toEqual({ readers: MOST_READERS })
    await add(2)
    expect(await count()).toEqual(first)
  },
)
