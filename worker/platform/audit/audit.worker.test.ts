import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { AuditEntry, AuditVerdict } from '../../../src/contract/console/audit.ts'
import { cost } from '../../../test/support/cost.ts'
import { send } from '../../../test/support/http.ts'
import { approveDeposit, as, deposit, propose, withdrawal } from '../../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { runDueWork } from '../../cron.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { openDatabase } from '../../lib/database.ts'
import { sealAuditLog } from './seal.ts'

// The tests of this file build on each other: the log is global, and the last tests damage it.
const verdict = async (after = 0) =>
  (await as<AuditVerdict>(await newOperator(), 'GET', `/operator/audit-log/verify?after=${after}`)).body

async function write(rows: number) {
  const insert = env.DB.prepare(
    'INSERT INTO audit_log (id, at, actor, action, subject) VALUES (?, ?, ?, ?, ?)',
  )
  await env.DB.batch(
    Array.from({ length: rows }, (_, n) =>
      insert.bind(newId(), 1000 + n, 'system', 'test.written', `row ${n}`),
    ),
  )
}

const seal = () => sealAuditLog(openDatabase(env.DB), Date.now())
const total = () => env.DB.prepare('SELECT count(*) AS n FROM audit_log').first<number>('n')

test('the log says who did what to whom, newest first, page by page', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  const id = await deposit(ana, '100')
  const { reference } = (await approveDeposit(operator, id)).body
  const quantity = expect.stringMatching(/^0\.\d+ BTC$/)
  const first = await as<AuditEntry[]>(operator, 'GET', '/operator/audit-log?limit=1')
  expect(first.body).toEqual([
    {
      _id: expect.any(String),
      line: expect.any(Number),
      at: expect.stringMatching(/Z$/),
      actor: operator.id,
      actorName: operator.name,
      actorRole: 'operator',
      action: 'deposit.credited',
      label: 'Credited a deposit',
      subject: id,
      reason: null,
      detail: { amountCents: 100_00, quantity, txid: reference, secondOperator: null },
      facts: [
        { label: 'Amount', value: '$100.00', subject: null },
        { label: 'Quantity', value: quantity, subject: null },
        { label: 'Transaction', value: reference, subject: null },
      ],
      about: {
        kind: 'deposit',
        label: expect.stringMatching(/^Deposit DEP-\w+ \(\$100\.00\)$/),
        person: { _id: ana.id, role: 'investor', name: ana.name },
      },
    },
  ])
  const [, next = ''] = /<\/api\/v1(.+)>/.exec(first.headers.get('Link') ?? '') ?? []
  const [second] = (await as<AuditEntry[]>(operator, 'GET', next)).body
  expect(second).toMatchObject({ actor: ana.id, action: 'deposit.requested', subject: id })
})

test('the log of one actor or subject is paged and exported', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  const ids = [await deposit(ana, '100'), await deposit(ana, '200')]
  await approveDeposit(operator, ids[0] ?? '')
  const subjects = async (query: string) => {
    const { body } = await as<AuditEntry[]>(operator, 'GET', `/operator/audit-log?${query}`)
    return body.map(({ action, subject }) => `${action} ${ids.indexOf(subject)}`)
  }
  expect(await subjects(`actor=${operator.id}`)).toEqual(['deposit.credited 0'])
  expect(await subjects(`subject=${ids[0]}`)).toEqual(['deposit.credited 0', 'deposit.requested 0'])
  expect(await subjects(`subject=${ids[0]}&actor=${ana.id}`)).toEqual(['deposit.requested 0'])
  const first = await as<AuditEntry[]>(operator, 'GET', `/operator/audit-log?subject=${ids[0]}&limit=1`)
  expect(first.headers.get('Link')).toContain(`subject=${ids[0]}`)
  expect((await as(operator, 'GET', '/operator/audit-log?actor=%27or%201')).status).toBe(422)
  expect((await as(operator, 'GET', '/operator/audit-log?format=xml')).status).toBe(422)

  await env.DB.prepare(
    "INSERT INTO audit_log (id, at, actor, action, subject) VALUES (?, 1, 'system', '=cmd()', 'formula')",
  )
    .bind(newId())
    .run()
  const file = await send('GET', '/operator/audit-log?format=csv&subject=formula', { token: operator.token })
  expect(file.headers.get('Content-Disposition')).toMatch(
    /^attachment; filename="[a-z-]+-audit-log-[\d-]+\.csv"$/,
  )
  const [header, row, ...rest] = (await file.text()).split('\r\n')
  expect(header).toBe(
    '"Time (UTC)","Done by","What","About","Person","Reason","Details","Line","Recorded id","Recorded actor","Recorded action","Recorded subject","Recorded details"',
  )
  expect(row).toMatch(
    /^"1970-01-01T00:00:00\.001Z","The system","'=cmd\(\)",.*,"system","'=cmd\(\)","formula","\{\}"$/,
  )
  expect(rest).toEqual([''])
})

test('the subject of a line has its current name, and is found by its reference', async () => {
  const ana = await newInvestor({ name: 'Ana Audited', availableCents: 500_00 })
  const operator = await newOperator()
  const id = await withdrawal(ana, '20')
  const banked = await withdrawal(ana, '10', '/withdrawals/online-service')
  const proposal = await propose(operator, { kind: 'bonus', investor: ana.id, amount: 5, reason: 'A test' })
  await as(operator, 'POST', `/operator/investors/${ana.id}/freeze`, { reason: 'A test' })
  const { results: refs } = await env.DB.prepare('SELECT ref FROM requests WHERE id = ?').bind(id).all()
  const ref = String(refs[0]?.ref)
  const person = { _id: ana.id, role: 'investor', name: ana.name }
  const [line] = (await as<AuditEntry[]>(operator, 'GET', `/operator/audit-log?subject=${ref}`)).body
  expect(line).toMatchObject({
    subject: id,
    label: 'Requested a withdrawal',
    about: { kind: 'withdrawal', label: `Withdrawal ${ref} ($20.00)`, person },
  })
  const one = await as<AuditEntry[]>(operator, 'GET', `/operator/audit-log?line=${line?.line}`)
  expect(one.body).toEqual([line])
  const { body } = await as<AuditEntry[]>(operator, 'GET', `/operator/audit-log?actor=${operator.id}`)
  expect(body.map(({ actorName, label, about }) => [actorName, label, about])).toEqual([
    [operator.name, 'Froze an investor’s account', { kind: 'investor', label: ana.name, person }],
    [
      operator.name,
      'Made a proposal',
      { kind: 'proposal', label: `Proposal: Bonus of $5.00 to ${ana.name}`, person },
    ],
  ])
  expect(body[1]?.subject).toBe(proposal.body._id)
  await env.DB.prepare(
    "INSERT INTO audit_log (id, at, actor, action, subject) VALUES (?, ?, 'system', 'settings.changed', 'twoPersonLimit')",
  )
    .bind(newId(), Date.now())
    .run()
  const [system] = (await as<AuditEntry[]>(operator, 'GET', '/operator/audit-log?subject=twoPersonLimit'))
    .body
  expect(system).toMatchObject({
    actorName: 'The system',
    label: 'Changed a setting',
    about: { kind: 'setting', label: 'Setting (Two operators above)', person: null },
  })
  const [bankLine] = (await as<AuditEntry[]>(operator, 'GET', `/operator/audit-log?subject=${banked}`)).body
  expect(bankLine?.about).toMatchObject({
    kind: 'withdrawal',
    label: expect.stringMatching(/^Bank withdrawal WDR-\w+ \(\$10\.00\)$/),
  })
  // An e-mail address finds the account.
  const byMail = await as<AuditEntry[]>(operator, 'GET', `/operator/audit-log?subject=${ana.email}`)
  expect(byMail.body[0]).toMatchObject({ action: 'investor.frozen', subject: ana.id })
})

test('a page costs a few rows for each of its lines, however long the log is', async () => {
  const operator = await newOperator()
  const ask = () => cost('GET', '/operator/audit-log?limit=20', { token: operator.token })
  for (const rows of [1, 60]) {
    await write(rows)
    const { status, counted } = await ask()
    expect(status).toBe(200)
    expect(counted.rowsRead).toBeLessThanOrEqual(6 * 21 + 20)
    // The third reads what the proposal on this page says.
    expect(counted.trips).toBe(3)
  }
})

test('exporting the log is audited', async () => {
  const operator = await newOperator()
  await (await send('GET', '/operator/audit-log?format=csv&actor=nobody', { token: operator.token })).text()
  const { body } = await as<AuditEntry[]>(operator, 'GET', `/operator/audit-log?actor=${operator.id}`)
  expect(body.map(({ action }) => action)).toEqual(['audit_log.exported'])
})

test('the log of one action or period is paged in order of time', async () => {
  const operator = await newOperator()
  const insert = env.DB.prepare(
    "INSERT INTO audit_log (id, at, actor, action, subject) VALUES (?, ?, 'clock', ?, ?)",
  )
  const day = (n: number) => Date.UTC(2001, 0, n)
  await env.DB.batch(
    [3, 1, 2, 2].map((n, index) =>
      insert.bind(newId(), day(n), index === 3 ? 'clock.wound' : 'clock.struck', `${n}`),
    ),
  )
  const subjects = async (query: string) => {
    const { body } = await as<AuditEntry[]>(operator, 'GET', `/operator/audit-log?${query}`)
    return body.map(({ subject }) => subject)
  }
  expect(await subjects('action=clock.struck')).toEqual(['3', '2', '1'])
  expect(await subjects('action=clock.struck&from=2001-01-02')).toEqual(['3', '2'])
  expect(await subjects('from=2001-01-01&to=2001-01-02')).toEqual(['2', '2', '1'])
  expect(await subjects('actor=clock&to=2001-01-01')).toEqual(['1'])
  const first = await as<AuditEntry[]>(operator, 'GET', '/operator/audit-log?to=2001-01-02&limit=1')
  const [, next = ''] = /<\/api\/v1(.+)>/.exec(first.headers.get('Link') ?? '') ?? []
  const second = await as<AuditEntry[]>(operator, 'GET', next)
  expect([...first.body, ...second.body].map(({ action }) => action)).toEqual(['clock.wound', 'clock.struck'])
  for (const query of ['action=%27or', 'from=yesterday', 'to=2001-02-31'])
    expect((await as(operator, 'GET', `/operator/audit-log?${query}`)).status).toBe(422)
  for (const where of ['at >= 1 AND at <= 2', "action = 'x' AND at >= 1", "actor = 'x' AND at <= 2"]) {
    const { results } = await env.DB.prepare(
      `EXPLAIN QUERY PLAN SELECT * FROM audit_log WHERE ${where} ORDER BY at DESC, seq DESC LIMIT 51`,
    ).all<{ detail: string }>()
    expect(results.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^SEARCH audit_log USING INDEX/),
    ])
  }
})

test('the log has ids and figures, but no names, addresses or references', async () => {
  const { results } = await env.DB.prepare('SELECT * FROM audit_log').all()
  const text = JSON.stringify(results)
  expect(text).toContain('amountCents')
  for (const secret of ['example.com', 'Ana', 'Torres', 'tb1q']) expect(text).not.toContain(secret)
})

test('unsealed lines are counted, and cron seals them', async () => {
  const rows = await total()
  expect(await verdict()).toEqual({
    ok: true,
    checkedTo: rows,
    complete: true,
    sealed: 0,
    unsealed: rows,
    broken: [],
  })
  // On a day before the market begins, so that no strategy starts and adds lines.
  await runDueWork(env, Date.UTC(2019, 11, 31))
  expect(await verdict()).toMatchObject({ ok: true, sealed: rows, unsealed: 0 })
  expect(await seal()).toBe(0)
})

test('a long log is sealed in chained blocks', async () => {
  const before = (await total()) ?? 0
  await write(1203)
  expect(await seal()).toBe(1203)
  await write(2)
  expect(await verdict()).toMatchObject({ ok: true, complete: true, sealed: before + 1203, unsealed: 2 })
  const { results } = await env.DB.prepare('SELECT * FROM audit_blocks ORDER BY seq').all<
    Record<string, unknown>
  >()
  expect(results).toHaveLength(4)
  for (const [index, block] of results.entries()) {
    expect(block.previous_hash).toBe(results[index - 1]?.hash ?? '0'.repeat(64))
  }
})

test('of two parallel seals one wins, and the chain stays whole', async () => {
  await write(10)
  const outcomes = await Promise.allSettled([seal(), seal(), seal()])
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
  expect(await verdict()).toMatchObject({ ok: true, unsealed: 0 })
})

test('entries and blocks cannot be changed or deleted', async () => {
  await write(1)
  for (const statement of [
    "UPDATE audit_log SET actor = 'nobody'",
    'DELETE FROM audit_log',
    "INSERT OR REPLACE INTO audit_log (seq, id, at, actor, action, subject) VALUES (1, 'x', 0, 'a', 'b', 'c')",
    "UPDATE audit_unsealed SET actor = 'nobody'",
    'DELETE FROM audit_unsealed',
    "INSERT INTO audit_unsealed VALUES (0, 'x', 0, 'a', 'b', 'c', '{}')",
    "UPDATE audit_blocks SET hash = 'x'",
    'DELETE FROM audit_blocks',
  ]) {
    await expect(env.DB.prepare(statement).run(), statement).rejects.toThrow(/^D1_ERROR: audit_\w+: /)
  }
})

// From here on the triggers are dropped, as somebody with full access to the database could.
const run = (statement: string) => env.DB.prepare(statement).run()

async function dropGuards() {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'audit_*'",
  ).all<{ name: string }>()
  for (const { name } of results) await run(`DROP TRIGGER ${name}`)
}

/** The findings after these statements. Everything is restored afterwards. */
async function namedAfter(...statements: string[]) {
  const tables = ['audit_log', 'audit_blocks', 'audit_unsealed']
  for (const table of tables) await run(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`)
  const numbered = await env.DB.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'audit_log'").first(
    'seq',
  )
  for (const statement of statements) await run(statement)
  const { ok, broken } = await verdict()
  for (const table of tables) {
    await run(`DELETE FROM ${table}`)
    await run(`INSERT INTO ${table} SELECT * FROM kept_${table}`)
    await run(`DROP TABLE kept_${table}`)
  }
  await run(`UPDATE sqlite_sequence SET seq = ${numbered} WHERE name = 'audit_log'`)
  expect(ok).toBe(broken.length === 0)
  return broken
}

const inserted = (seq: number) =>
  `INSERT INTO audit_log (seq, id, at, actor, action, subject) VALUES (${seq}, 'new ${seq}', 0, 'a', 'b.c', 'd')`
const swapped = (one: number, other: number) => [
  `UPDATE audit_log SET seq = -1 WHERE seq = ${one}`,
  `UPDATE audit_log SET seq = ${one} WHERE seq = ${other}`,
  `UPDATE audit_log SET seq = ${other} WHERE seq = -1`,
]

test('every changed, deleted, inserted or moved entry is found and named', async () => {
  // Later calls by operators add lines, so the changed ones are sealed or waiting before.
  await seal()
  await write(9)
  const end = (await env.DB.prepare('SELECT max(seq) AS seq FROM audit_log').first<number>('seq')) ?? 0
  await dropGuards()
  expect(await namedAfter()).toEqual([])
  // Sealed, and not sealed yet.
  for (const seq of [700, end - 5]) {
    for (const [column, value] of Object.entries({
      id: "'x'",
      at: 'at + 1',
      actor: "'somebody else'",
      action: "'a.b'",
      subject: "'x'",
      detail: '\'{"a":1}\'',
    }))
      expect(await namedAfter(`UPDATE audit_log SET ${column} = ${value} WHERE seq = ${seq}`)).toEqual([
        { seq, why: 'changed' },
      ])
    expect(await namedAfter(`DELETE FROM audit_log WHERE seq = ${seq}`)).toEqual([{ seq, why: 'deleted' }])
    expect(await namedAfter(`DELETE FROM audit_log WHERE seq = ${seq}`, inserted(seq))).toEqual([
      { seq, why: 'changed' },
    ])
    expect(await namedAfter(...swapped(seq, seq + 2))).toEqual([
      { seq, why: 'moved' },
      { seq: seq + 2, why: 'moved' },
    ])
    expect(
      await namedAfter(
        `DELETE FROM audit_log WHERE seq = ${seq}`,
        `UPDATE audit_log SET actor = 'x' WHERE seq IN (${seq - 2}, ${seq + 2})`,
      ),
    ).toEqual([
      { seq: seq - 2, why: 'changed' },
      { seq, why: 'deleted' },
      { seq: seq + 2, why: 'changed' },
    ])
  }
  expect(await namedAfter(inserted(-5))).toEqual([{ seq: -5, why: 'inserted' }])
  expect(await namedAfter(inserted(end + 1))).toEqual([{ seq: end + 1, why: 'inserted' }])
  // Together with its second copy: its number is missing.
  for (const seq of [end - 3, end])
    expect(
      await namedAfter(
        `DELETE FROM audit_log WHERE seq = ${seq}`,
        `DELETE FROM audit_unsealed WHERE seq = ${seq}`,
      ),
    ).toEqual([{ seq, why: 'deleted' }])
})

test('a line changed before its seal is still found afterwards', async () => {
  const [first = 0] = await waiting()
  await run(`UPDATE audit_log SET actor = 'x' WHERE seq = ${first}`)
  await run(`DELETE FROM audit_log WHERE seq = ${first + 2}`)
  await run(inserted(first + 2))
  await seal()
  expect(await waiting()).toEqual([])
  const named = [
    { seq: first, why: 'changed' },
    { seq: first + 2, why: 'changed' },
  ]
  expect((await verdict()).broken).toEqual(named)
  // From a later checkpoint only the following lines are checked.
  const { checkedTo } = await verdict()
  expect(await verdict(checkedTo)).toMatchObject({ ok: true, sealed: 0, complete: true })
})

test('a changed or removed seal is found', async () => {
  const known = (await verdict()).broken
  const second = await env.DB.prepare('SELECT * FROM audit_blocks WHERE seq = 2').first<{
    first_seq: number
    last_seq: number
  }>()
  const third = await env.DB.prepare('SELECT first_seq FROM audit_blocks WHERE seq = 3').first<number>(
    'first_seq',
  )
  if (second === null || third === null) throw new Error('There are three blocks.')
  const { first_seq: from, last_seq: to } = second
  expect(await namedAfter(`UPDATE audit_blocks SET hash = 'x' WHERE seq = 2`)).toEqual([
    { seq: from, why: 'seal' },
    { seq: third, why: 'seal' },
    ...known,
  ])
  expect(await namedAfter("UPDATE audit_blocks SET entries = entries || '0' WHERE seq = 2")).toContainEqual({
    seq: from,
    why: 'seal',
  })
  expect(await namedAfter('DELETE FROM audit_blocks WHERE seq = 2')).toEqual(
    expect.arrayContaining([
      { seq: third, why: 'seal' },
      { seq: from, why: 'inserted' },
      { seq: to, why: 'inserted' },
    ]),
  )
})

async function waiting(): Promise<number[]> {
  const { results } = await env.DB.prepare('SELECT seq FROM audit_unsealed ORDER BY seq').all<{
    seq: number
  }>()
  return results.map(({ seq }) => seq)
}
