import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import type { OperatorHealth } from '../../../src/contract/console/health.ts'
import type { OperatorStrategy } from '../../../src/contract/console/strategies.ts'
import type { Position } from '../../../src/contract/investing/allocations.ts'
import { call } from '../../../test/support/http.ts'
import { mailsTo } from '../../../test/support/mailbox.ts'
import { booksOf } from '../../../test/support/money.ts'
import { approveProposal, as, propose } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { closeDay, dayOf, newStrategy, onDay, settleDay } from '../../../test/support/pooled.ts'
import { fileOrder } from '../../../test/support/trading/pools.ts'
import { simulatedPrices } from '../../dev/seed/simulatedPrices.ts'
import { PaperBroker } from '../../investing/trading/broker.ts'
import { REASONS, readSince } from '../../investing/trading/judge.ts'
import { notifyInvestors } from '../../investing/trading/notices.ts'
import type { Pool } from '../../investing/trading/state.ts'
import { followDays } from '../../investing/trading/step.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'
import { strategyEvents } from '../../lib/tables/strategies.ts'

const db = openDatabase(env.DB)
afterEach(() => {
  vi.useRealTimers()
})
// The first test computes the whole simulated market.
vi.setConfig({ testTimeout: 60_000 })

/** A strategy with an investor who has 1,000 USD and allocates 600 at its first open. */
async function pooled() {
  const slug = await newStrategy()
  const ana = await newInvestor({ availableCents: 100_000 })
  const order = { investor: ana.id, strategy: slug, kind: 'allocate' } as const
  await fileOrder(db, { ...order, cents: 60_000, atMs: dayOf(1) - 1 })
  return { slug, ana, order }
}

async function follow(slug: string, nowMs: number): Promise<void> {
  const broker = ({ definition }: Pool) => new PaperBroker(definition.costs)
  for await (const _ of followDays({ db, prices: simulatedPrices, nowMs, broker }, slug));
}

/** The content of an investor's mails about strategies, oldest first: the outcome, and which of the given reasons. */
async function toldOf({ email }: Person): Promise<[string | undefined, string | null][]> {
  for (let run = 0; run < 3; run++) await notifyInvestors(env, db, Date.now())
  const mails = (await mailsTo(email)).toReversed()
  return mails.flatMap(({ subject, text }): [string | undefined, string | null][] => {
    const [what] = /was (suspended|resumed|stopped for good)$/.exec(subject) ?? []
    const [reason = null] =
      /We are checking its prices\.|Nobody needs it\.|The prices were right\./.exec(text) ?? []
    return what === undefined ? [] : [[what, reason]]
  })
}

test('operators see each strategy’s value, investors and pending orders', async () => {
  const { slug, order } = await pooled()
  await follow(slug, dayOf(3) + 60_000)
  await fileOrder(db, { ...order, cents: 10_000, atMs: dayOf(3) + 70_000 })
  const { body } = await as<OperatorStrategy[]>(
    await newOperator({ roles: ['auditor'] }),
    'GET',
    '/operator/strategies',
  )
  const row = body.find(({ _id }) => _id === slug)
  expect(row).toMatchObject({
    status: 'active',
    by: null,
    reason: null,
    investors: 1,
    ordersWaiting: 1,
    behind: true,
    rule: null,
    proposed: null,
    market: { id: 'simulated', name: 'Practice market', real: false },
    ordersIn: { count: 1, amount: 100 },
    ordersOut: { count: 0, amount: 0 },
    band: null,
    maximumDrawdown: null,
    fees: 0,
  })
  expect(row?.hash).toMatch(/^[0-9a-f]{64}$/)
  expect(row?.drawdown).toBeGreaterThanOrEqual(0)
  expect(row?.drawdown).toBeLessThan(0.5)
  expect(row?.lastStep).toBe(new Date(dayOf(3)).toISOString().slice(0, 10))
  expect(Math.abs((row?.netValue ?? 0) - (row?.units ?? 0) * (row?.unitPrice ?? 0))).toBeLessThan(0.02)
})

test('one operator suspends a strategy at once, and nobody suspends it twice', async () => {
  const { slug } = await pooled()
  await follow(slug, dayOf(3) + 60_000)
  const operator = await newOperator({ roles: ['treasurer'] })
  const path = `/operator/strategies/${slug}/suspend`
  expect((await as(operator, 'POST', path, {})).status).toBe(422)
  expect(
    (await as(operator, 'POST', '/operator/strategies/no-such-one/suspend', { reason: 'Odd' })).status,
  ).toBe(404)
  const { status, body } = await as<OperatorStrategy>(operator, 'POST', path, {
    reason: 'We are checking its prices.',
  })
  expect([status, body.status, body.reason, body.by?._id]).toEqual([
    200,
    'suspended',
    'We are checking its prices.',
    operator.id,
  ])
  expect((await as(operator, 'POST', path, { reason: 'Again' })).status).toBe(409)
  await follow(slug, dayOf(4) + 60_000)
  const held = env.DB.prepare('SELECT sum(quantity) AS quantity FROM pool_holdings WHERE strategy = ?').bind(
    slug,
  )
  expect(await held.first('quantity')).toBe(0)
})

test('one operator’s own words about a suspension stay a note, and investors read a listed reason', async () => {
  const operator = await newOperator({ roles: ['treasurer'] })
  const told = async (words: object) => {
    const slug = await newStrategy()
    const { status, body } = await as<OperatorStrategy>(
      operator,
      'POST',
      `/operator/strategies/${slug}/suspend`,
      words,
    )
    const { body: shown } = await call<{ reason: string }>('GET', `/strategies/${slug}`)
    return [status, shown.reason, body.note]
  }
  const unlisted = 'Please write to us if you want to know why.'
  expect(await told({ reason: 'The desk lost its keys.' })).toEqual([
    200,
    unlisted,
    'The desk lost its keys.',
  ])
  expect(await told({ reason: unlisted, internalNote: 'Fraud?' })).toEqual([200, unlisted, 'Fraud?'])
  const listed = 'We are checking its prices.'
  expect(await told({ reason: listed, internalNote: 'Odd since noon' })).toEqual([
    200,
    listed,
    'Odd since noon',
  ])
  const path = `/operator/strategies/${await newStrategy()}/suspend`
  expect(await as(operator, 'POST', path, { reason: unlisted })).toMatchObject({
    status: 422,
    body: { fields: { internalNote: expect.any(String) } },
  })
  expect(await as(operator, 'POST', path, { reason: 'Call +1 555 010 9999' })).toMatchObject({
    status: 422,
    body: { fields: { reason: expect.any(String) } },
  })
})

test('two operators resume a strategy, and it buys at its next open', async () => {
  const { slug, ana } = await pooled()
  await follow(slug, dayOf(2) + 60_000)
  const [first, second] = [
    await newOperator({ roles: ['treasurer'] }),
    await newOperator({ roles: ['administrator'] }),
  ]
  const proposal = { kind: 'strategy', strategy: slug, reason: 'The prices were right.' } as const
  expect(await propose(first, proposal)).toMatchObject({ status: 409 })
  expect(await propose(first, { ...proposal, strategy: 'no-such-one' })).toMatchObject({ status: 422 })
  await as(first, 'POST', `/operator/strategies/${slug}/suspend`, { reason: 'We are checking its prices.' })
  await follow(slug, dayOf(3) + 60_000)
  // Nobody alone, and not by SQL either.
  await expect(
    runBatch(db, [
      db
        .insert(strategyEvents)
        .values({ strategy: slug, at: 1, kind: 'resumed', reason: 'Alone', actor: first.id }),
    ]),
  ).rejects.toThrow('second_operator_required')
  const { body: proposed } = await propose(first, proposal)
  expect((await approveProposal(first, proposed._id)).status).toBe(403)
  expect(await approveProposal(second, proposed._id)).toMatchObject({
    status: 200,
    body: { strategy: { _id: slug, action: 'resume' } },
  })
  const held = () =>
    env.DB.prepare('SELECT sum(quantity) AS quantity FROM pool_holdings WHERE strategy = ?')
      .bind(slug)
      .first<number>('quantity')
  // Only operators see why it was resumed.
  expect(await toldOf(ana)).toEqual([
    ['was suspended', 'We are checking its prices.'],
    ['was resumed', null],
  ])
  expect(await held()).toBe(0)
  await follow(slug, dayOf(4) + 60_000)
  expect(await held()).toBeGreaterThan(0)
})

test('a resumed strategy is measured from its first open after that', async () => {
  const slug = await newStrategy()
  await settleDay(slug, 1, 100)
  await closeDay(slug, 1, 150)
  expect(await readSince(db, slug, dayOf(2))).toMatchObject({
    ...{ day: dayOf(1), unit: 100_000_000, peak: 150_000_000 },
  })
  await onDay(1, await newInvestor())
  const [first, second] = [await newOperator(), await newOperator()]
  await as(first, 'POST', `/operator/strategies/${slug}/suspend`, { reason: 'We are checking its prices.' })
  const { body } = await propose(first, { kind: 'strategy', strategy: slug, reason: 'They were right.' })
  expect((await approveProposal(second, body._id)).status).toBe(200)
  await settleDay(slug, 2, 90)
  await closeDay(slug, 2, 95)
  await settleDay(slug, 3, 94)
  await closeDay(slug, 3, 120)
  expect(await readSince(db, slug, dayOf(3))).toMatchObject({
    ...{ day: dayOf(2), unit: 90_000_000, peak: 95_000_000 },
  })
})

test('no operator ends a strategy alone by giving its own rule as the reason', async () => {
  const slug = await newStrategy()
  const [first, second] = [await newOperator(), await newOperator()]
  const suspended = await as(first, 'POST', `/operator/strategies/${slug}/suspend`, {
    reason: REASONS.drawdown,
  })
  expect(suspended).toMatchObject({ status: 200, body: { rule: null } })
  const { status, body } = await propose(second, {
    kind: 'strategy',
    strategy: slug,
    reason: 'It did not fall.',
  })
  expect(status).toBe(201)
  expect((await approveProposal(first, body._id)).status).toBe(200)
})

test('a strategy that its own drawdown rule ended is not resumed', async () => {
  const slug = await newStrategy()
  await runBatch(db, [
    db.insert(strategyEvents).values({
      strategy: slug,
      at: Date.now(),
      kind: 'suspended',
      reason: REASONS.drawdown,
      actor: 'system',
    }),
  ])
  const proposal = { kind: 'strategy', strategy: slug, reason: 'Again.' } as const
  expect(await propose(await newOperator(), proposal)).toMatchObject({ status: 409 })
})

test('a suspended strategy takes no money and pays out redemptions, and the overview says so', async () => {
  const { slug, ana, order } = await pooled()
  await follow(slug, dayOf(3) + 60_000)
  await fileOrder(db, { ...order, cents: 10_000, atMs: dayOf(3) + 70_000 })
  const operator = await newOperator({ roles: ['administrator'] })
  const path = `/operator/strategies/${slug}/suspend`
  for (const role of ['reviewer', 'auditor'] as const)
    expect((await as(await newOperator({ roles: [role] }), 'POST', path, { reason: 'No' })).status).toBe(403)
  await as(operator, 'POST', path, { reason: 'We are checking its prices.' })
  const { strategies } = (await as<OperatorHealth>(operator, 'GET', '/operator/health')).body
  expect(strategies.find(({ _id }) => _id === slug)).toMatchObject({
    status: 'suspended',
    reason: 'We are checking its prices.',
    lateSince: new Date(dayOf(4)).toISOString(),
    lackingSince: null,
  })
  const today = await onDay(3, ana)
  expect(await as(today, 'POST', '/allocations', { strategy: slug, amount: '50' })).toMatchObject({
    status: 409,
    body: { code: 'strategy_suspended' },
  })
  const [position] = (await as<Position[]>(today, 'GET', '/allocations')).body
  const redeemed = await as(today, 'POST', `/allocations/${position?._id}/redeem`, { amount: 'all' })
  expect(redeemed.status).toBe(201)
  vi.useRealTimers()
  await follow(slug, dayOf(4) + 60_000)
  expect((await as<Position[]>(ana, 'GET', '/allocations')).body).toMatchObject([{ units: 0, value: 0 }])
  const { available, totalBalance } = await booksOf(ana.id)
  expect(available).toBe(totalBalance)
  expect(available).toBeGreaterThan(50_000)
})

test('a strategy shows who proposed to resume it, and nobody proposes it twice', async () => {
  const slug = await newStrategy()
  const operator = await newOperator({ roles: ['treasurer'], name: 'Olu Bello' })
  await as(operator, 'POST', `/operator/strategies/${slug}/suspend`, {
    reason: 'We are checking its prices.',
  })
  const proposal = { kind: 'strategy', strategy: slug, reason: 'They were right.' } as const
  const { body: proposed } = await propose(operator, proposal)
  expect(await propose(await newOperator(), proposal)).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  })
  const row = async () =>
    (await as<OperatorStrategy[]>(operator, 'GET', '/operator/strategies')).body.find(
      ({ _id }) => _id === slug,
    )
  expect((await row())?.proposed).toMatchObject({ _id: proposed._id, by: { name: 'Olu Bello' } })
  // After another operator's approval she still cannot carry it out.
  await env.DB.prepare(
    "UPDATE proposals SET status = 'approved', decided_by = ?, decided_at = ? WHERE id = ?",
  )
    .bind((await newOperator()).id, Date.now(), proposed._id)
    .run()
  const event = {
    strategy: slug,
    at: Date.now(),
    kind: 'resumed',
    reason: 'Alone',
    actor: operator.id,
  } as const
  await expect(runBatch(db, [db.insert(strategyEvents).values(event)])).rejects.toThrow(
    'second_operator_required',
  )
  expect(await row()).toMatchObject({ status: 'suspended', proposed: null })
})

test('two operators stop a suspended strategy for good: it never resumes, and units can be redeemed', async () => {
  const { slug, ana, order } = await pooled()
  await follow(slug, dayOf(2) + 60_000)
  const [first, second] = [await newOperator({ roles: ['treasurer'] }), await newOperator()]
  const proposal = { kind: 'strategy', strategy: slug, action: 'stop', reason: 'Nobody needs it.' } as const
  expect(await propose(first, proposal)).toMatchObject({ status: 409 })
  expect(await propose(first, { ...proposal, action: 'sell' })).toMatchObject({ status: 422 })
  await as(first, 'POST', `/operator/strategies/${slug}/suspend`, { reason: 'We are checking its prices.' })
  const { body: proposed } = await propose(first, proposal)
  expect(await propose(second, { ...proposal, action: 'resume' })).toMatchObject({ status: 409 })
  expect((await approveProposal(first, proposed._id)).status).toBe(403)
  expect(await approveProposal(second, proposed._id)).toMatchObject({ status: 200 })
  expect(await toldOf(ana)).toEqual([
    ['was suspended', 'We are checking its prices.'],
    ['was stopped for good', 'Nobody needs it.'],
  ])
  // The decision to stop it cannot resume it, even by SQL.
  const decided = env.DB.prepare('SELECT decided_at FROM proposals WHERE id = ?').bind(proposed._id)
  const event = { strategy: slug, at: (await decided.first<number>('decided_at')) ?? 0, actor: second.id }
  for (const kind of ['resumed', 'stopped', 'suspended'] as const)
    await expect(
      runBatch(db, [db.insert(strategyEvents).values({ ...event, kind, reason: 'Again' })]),
    ).rejects.toThrow('conflict')
  expect(await propose(second, { ...proposal, action: 'resume' })).toMatchObject({ status: 409 })
  await fileOrder(db, { ...order, kind: 'redeem', cents: null, atMs: dayOf(3) - 1 })
  await follow(slug, dayOf(3) + 60_000)
  const { available, totalBalance } = await booksOf(ana.id)
  expect(available).toBe(totalBalance)
  // Redemptions wait for its days like any other's.
  const { strategies } = (await as<OperatorHealth>(first, 'GET', '/operator/health')).body
  expect(strategies.find(({ _id }) => _id === slug)).toMatchObject({
    status: 'stopped',
    lateSince: new Date(dayOf(4)).toISOString(),
  })
})

test('only roles for it suspend a strategy, also by SQL', async () => {
  const slug = await newStrategy()
  const reviewer = await newOperator({ roles: ['reviewer'] })
  for (const actor of [reviewer.id, (await newInvestor()).id, 'somebody']) {
    const event = { strategy: slug, at: Date.now(), kind: 'suspended', reason: 'Odd', actor } as const
    await expect(runBatch(db, [db.insert(strategyEvents).values(event)])).rejects.toThrow('forbidden')
  }
})
