import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { ACTION_LABELS } from '../../../src/contract/auditActions.ts'
import type { AuditEntry } from '../../../src/contract/console/audit.ts'
import { TRX_TYPES, type TrxType } from '../../../src/contract/money/transactions.ts'
import { cost } from '../../../test/support/cost.ts'
import { send } from '../../../test/support/http.ts'
import {
  approveDeposit,
  approveProposal,
  approveWithdrawal,
  as,
  completeWithdrawal,
  deposit,
  propose,
  withdrawal,
} from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator, type Person } from '../../../test/support/people.ts'
import { newId } from '../../lib/crypto/tokens.ts'

const WORDS: Readonly<Record<TrxType, string>> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  'online-service-withdrawal': 'Bank withdrawal',
}

type Investor = Person & { readonly email: string; readonly id: string }

/** Files a request of a kind and returns its id. */
const FILE: Readonly<Record<TrxType, (ana: Investor) => Promise<string>>> = {
  deposit: (ana) => deposit(ana, '9000'),
  withdrawal: (ana) => withdrawal(ana, '9000'),
  'online-service-withdrawal': (ana) => withdrawal(ana, '9000', '/withdrawals/online-service'),
}

/** Actions on an investor's account, not on a request. */
const ABOUT_PEOPLE = ['withdrawal.code_mailed', 'withdrawal.link_used']

async function readLines(by: Operator, id: string): Promise<AuditEntry[]> {
  return (await as<AuditEntry[]>(by, 'GET', `/operator/audit-log?subject=${id}&limit=100`)).body
}

/** Takes requests of a kind through everything that can be done to them. Returns their ids. */
async function playEverything(kind: TrxType, one: Operator, two: Operator): Promise<string[]> {
  const queue = kind === 'deposit' ? 'deposits' : 'withdrawals'
  const file = async () => FILE[kind](await newInvestor({ availableCents: 10_000_00 }))
  const [decided, rejected] = [await file(), await file()]
  const ana = await newInvestor({ availableCents: 10_000_00 })
  const cancelled = await FILE[kind](ana)
  await as(ana, 'POST', `/${queue}/${cancelled}/cancel`)
  for (const to of [one.id, null]) await as(one, 'POST', `/operator/cases/${decided}/assign`, { to })
  await as(two, 'POST', `/operator/${queue}/${rejected}/reject`, { reason: 'No' })
  if (kind === 'deposit') {
    await approveDeposit(one, decided)
    await as(one, 'POST', `/operator/deposits/${decided}/withdraw-approval`)
    const { body } = await approveDeposit(one, decided)
    await approveDeposit(two, decided)
    const reference = body.firstApproval?.reference
    expect((await approveDeposit(two, decided, { reference })).status).toBe(200)
  } else {
    await approveWithdrawal(one, decided)
    expect((await completeWithdrawal(two, decided)).status).toBe(200)
  }
  const { body } = await propose(one, { kind: 'reversal', request: decided, reason: 'Wrong person' })
  expect((await approveProposal(two, body._id)).status).toBe(200)
  const proposed = (await readLines(one, body._id)).find(({ action }) => action === 'proposal.created')
  expect(proposed?.about?.label).toMatch(/^Proposal: Reverse (?:DEP|WDR)-\w{8}, \$9,000\.00, of ./)
  expect(proposed?.reason).toBe('Wrong person')
  return [decided, rejected, cancelled]
}

test('every line about every kind of request names its kind, reference and amount, whatever was done to it', async () => {
  const [one, two] = [await newOperator(), await newOperator()]
  const seen = new Set<string>()
  for (const kind of TRX_TYPES) {
    for (const id of await playEverything(kind, one, two))
      for (const { action, label, about } of await readLines(one, id)) {
        seen.add(action)
        expect(label).not.toBe(action)
        expect([action, about?.label]).toEqual([
          action,
          expect.stringMatching(new RegExp(`^${WORDS[kind]} (?:DEP|WDR)-\\w{8} \\(\\$9,000\\.00\\)$`)),
        ])
      }
  }
  const known = Object.keys(ACTION_LABELS).filter(
    (action) =>
      /^(?:deposit|withdrawal)\.|^case\.(?:un)?assigned$|^risk\.accepted$/.test(action) &&
      !ABOUT_PEOPLE.includes(action),
  )
  expect([...seen].toSorted()).toEqual(known.toSorted())
})

test('a line says what a setting was changed to, and why a request or an account was stopped', async () => {
  const [one, two] = [await newOperator(), await newOperator()]
  const ana = await newInvestor({ availableCents: 100_00 })
  const settings = { twoPersonLimit: 4321 }
  const { body } = await propose(one, { kind: 'settings', settings, reason: 'Fewer surprises' })
  await approveProposal(two, body._id)
  const [changed] = await readLines(one, 'twoPersonLimit')
  expect(changed).toMatchObject({ action: 'settings.changed', reason: 'Fewer surprises' })
  expect(changed?.about?.label).toMatch(/^Two operators above: \$[\d,.]+ → \$4,321\.00$/)
  await as(one, 'POST', `/operator/investors/${ana.id}/freeze`, { reason: 'A stolen phone' })
  const [frozen] = await readLines(one, ana.id)
  expect(frozen).toMatchObject({ action: 'investor.frozen', reason: 'A stolen phone' })
  const readNotes = async (by: Operator) =>
    (await as<{ text: string }[]>(by, 'GET', `/operator/investors/${ana.id}/notes`)).body.map(
      ({ text }) => text,
    )
  expect(await readNotes(one)).toEqual(['Frozen: A stolen phone'])
  expect(await readNotes(await newOperator({ roles: ['support'] }))).toEqual([])
  const id = await deposit(await newInvestor(), '10')
  await as(one, 'POST', `/operator/deposits/${id}/reject`, { reason: 'No' })
  const [rejected] = await readLines(one, id)
  const told = 'Please write to us if you want to know why.'
  expect(rejected).toMatchObject({ action: 'deposit.rejected', reason: told })
})

test('details name people, proposals, amounts and kinds of work, and the file has the same words', async () => {
  const [one, two] = [await newOperator(), await newOperator()]
  const ana = await newInvestor({ availableCents: 10_000_00 })
  const id = await deposit(ana, '9000')
  await as(one, 'POST', `/operator/cases/${id}/assign`, { to: two.id })
  const first = await approveDeposit(two, id)
  await approveDeposit(one, id, { reference: first.body.firstApproval?.reference })
  const readFacts = async (action: string, subject = id) =>
    (await readLines(one, subject)).find((line) => line.action === action)?.facts
  const name = (await readLines(one, id)).find(({ actor }) => actor === two.id)?.actorName
  expect(await readFacts('case.assigned')).toEqual([
    { label: 'Kind', value: 'A deposit', subject: null },
    { label: 'Assigned to', value: name, subject: { kind: 'operator', _id: two.id } },
  ])
  expect(await readFacts('deposit.credited')).toContainEqual({
    label: 'Amount',
    value: '$9,000.00',
    subject: null,
  })
  const { body } = await propose(one, { kind: 'reversal', request: id, reason: 'Wrong person' })
  await approveProposal(two, body._id)
  expect(await readFacts('deposit.reversed')).toContainEqual({
    ...{ label: 'Proposal', value: 'Reversal' },
    subject: { kind: 'proposal', _id: body._id },
  })
  const csv = await send('GET', `/operator/audit-log?format=csv&subject=${id}`, { token: one.token })
  expect(await csv.text()).toContain(`"Kind: A deposit; Assigned to: ${name}"`)
})

test('a closed month, an exchange and signs of risk are named in the details', async () => {
  const one = await newOperator()
  const insert = env.DB.prepare(
    "INSERT INTO audit_log (id, at, actor, action, subject, detail) VALUES (?, ?, 'system', ?, ?, ?)",
  )
  const signs = 'on_hold first_withdrawal'
  const titles = 'The withdrawal is delayed; The first withdrawal of the account'
  const lines = [
    ['month.closed', '2026-10', { hash: '0'.repeat(64) }, 'Month', '2026-10'],
    ['trading.stopped', 'all', {}, 'Exchange', 'All'],
    ['risk.accepted', 'x', { signs }, 'Signs', titles],
  ] as const
  for (const [action, subject, detail, label, value] of lines) {
    await insert.bind(newId(), Date.now(), action, subject, JSON.stringify(detail)).run()
    const [line] = (await as<AuditEntry[]>(one, 'GET', `/operator/audit-log?action=${action}&limit=1`)).body
    expect(line?.facts).toEqual([{ label, value, subject: null }])
  }
})

test('one person finds what others did to their deposits, withdrawals and proposals', async () => {
  const [one, two] = [await newOperator(), await newOperator()]
  const [ana, other] = [await newInvestor({ availableCents: 10_000_00 }), await newInvestor()]
  const paidIn = await deposit(ana, '20')
  await approveDeposit(one, paidIn)
  await approveDeposit(one, await deposit(other, '30'))
  const paidOut = await withdrawal(ana, '40')
  await approveWithdrawal(one, paidOut)
  const reversal = await propose(one, { kind: 'reversal', request: paidIn, reason: 'Wrong person' })
  await as(two, 'POST', `/operator/proposals/${reversal.body._id}/reject`, { reason: 'It is right' })
  const bonus = await propose(one, { kind: 'bonus', investor: ana.id, amount: 5, reason: 'A test' })
  const read = async (query: string) =>
    (await as<AuditEntry[]>(two, 'GET', `/operator/audit-log?person=${ana.id}&limit=100${query}`)).body
  const lines = await read('')
  expect(lines.map(({ action, subject }) => [action, subject])).toEqual(
    expect.arrayContaining([
      ['deposit.requested', paidIn],
      ['deposit.credited', paidIn],
      ['withdrawal.requested', paidOut],
      ['withdrawal.approved', paidOut],
      ['proposal.created', reversal.body._id],
      ['proposal.rejected', reversal.body._id],
      ['proposal.created', bonus.body._id],
    ]),
  )
  expect(lines.every(({ actor, about }) => actor === ana.id || about?.person?._id === ana.id)).toBe(true)
  const credited = lines.filter(({ action }) => action === 'deposit.credited')
  expect(await read('&action=deposit.credited')).toEqual(credited)
  expect((await read(`&actor=${one.id}`)).map(({ action }) => action)).toContain('withdrawal.approved')
  // Page by page, each line once.
  const walked: AuditEntry[] = []
  for (let path = `/operator/audit-log?person=${ana.id}&limit=3`; path !== ''; ) {
    const { body, headers } = await as<AuditEntry[]>(two, 'GET', path)
    walked.push(...body)
    path = /<\/api\/v1([^>]+)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1] ?? ''
  }
  expect(walked).toEqual(lines)
})

test('a proposal is in the words of its list', async () => {
  const one = await newOperator()
  const ana = await newInvestor()
  const bonus = await propose(one, { kind: 'bonus', investor: ana.id, amount: 5, reason: 'A test' })
  const invited = await propose(one, {
    ...{ kind: 'operator', action: 'invite', name: 'Olu Invited', email: `olu-${ana.id}@example.com` },
    ...{ roles: ['reviewer'], reason: 'A new colleague' },
  })
  expect([bonus.status, invited.status]).toEqual([201, 201])
  const readLabel = async (id: string) => (await readLines(one, id))[0]?.about?.label
  expect(await readLabel(bonus.body._id)).toBe(`Proposal: Bonus of $5.00 to ${ana.name}`)
  expect(await readLabel(invited.body._id)).toBe(
    `Proposal: Invite Olu Invited, olu-${ana.id}@example.com, as reviewer`,
  )
})

test('the lines of one person cost the same however long the log is, with and without an action', async () => {
  const one = await newOperator()
  const [ana, other] = [await newInvestor(), await newInvestor()]
  await approveDeposit(one, await deposit(ana, '20'))
  const measure = async () => {
    const rows: number[] = []
    for (const query of ['', '&action=deposit.credited']) {
      const path = `/operator/audit-log?person=${ana.id}${query}`
      const { counted } = await cost('GET', path, { token: one.token })
      expect(counted.trips).toBe(2)
      rows.push(counted.rowsRead)
    }
    return rows
  }
  const [all = 0, credited = 0] = await measure()
  const insert = env.DB.prepare(
    "INSERT INTO audit_log (id, at, actor, action, subject) VALUES (?, ?, 'system', 'deposit.credited', ?)",
  )
  const later = Date.now() + 1000
  await env.DB.batch(Array.from({ length: 300 }, () => insert.bind(newId(), later, other.id)))
  expect(await measure()).toEqual([expect.closeTo(all, -1), expect.closeTo(credited, -1)])
  expect(all).toBeLessThanOrEqual(120)
})

test('one person finds the lines by them and about them, one day at a time', async () => {
  const [one, two] = [await newOperator(), await newOperator()]
  const ana = await newInvestor()
  await as(one, 'POST', `/operator/investors/${ana.id}/freeze`, { reason: 'Odd' })
  await as(two, 'POST', `/operator/investors/${ana.id}/unfreeze`, { reason: 'She called back' })
  await deposit(ana, '10')
  const read = async (query: string) =>
    (await as<AuditEntry[]>(one, 'GET', `/operator/audit-log?${query}`)).body.map(({ action, reason }) =>
      reason === null ? action : `${action}: ${reason}`,
    )
  const all = await read(`person=${ana.id}`)
  expect(all.slice(0, 3)).toEqual([
    'deposit.requested',
    'investor.unfrozen: She called back',
    'investor.frozen: Odd',
  ])
  expect(await read(`person=${ana.email}&limit=2`)).toEqual(all.slice(0, 2))
  expect(await read(`person=${two.id}&action=investor.unfrozen`)).toHaveLength(1)
  expect(await read(`person=${ana.id}&to=2020-01-01`)).toEqual([])
})
