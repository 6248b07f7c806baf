import { createHash } from 'node:crypto'
import { readTogether } from '../../../worker/lib/database.ts'
import type { Env } from '../../../worker/lib/env.ts'
import { findRate, readRates } from '../../../worker/lib/market/rates.ts'
import { FAULTS, type Fault, type FaultLevel } from '../lane/faults.ts'
import { openPayees, type Payees } from './payees.ts'
import { openPayers, type Payers } from './payers.ts'
import { COINS, INVESTORS, openPlatform, type Platform } from './platform.ts'
import { CHAIN_RULES, keyOf, type Moment, readPayments, readWithdrawals } from './rules.ts'
import { paidTo, truePayments } from './truth.ts'

/** What became of a seed. */
export interface ChainsOutcome {
  readonly seed: number
  /** The rule that was broken, with the finding; null if all were kept. */
  readonly broken: { readonly rule: string; readonly finding: string; readonly tick: number } | null
  /** The SHA-256 of everything that moved money. */
  readonly ledger: string
  /** How often what happened: payments, payouts, failures of servers, chains and the database. */
  readonly counts: ReadonlyMap<string, number>
  readonly results: Results
}

export interface Results {
  readonly credited: number
  readonly queued: number
  readonly undone: number
  readonly gone: number
  readonly payouts: number
  readonly withdrawals: number
}

const MINUTE_MS = 60_000
const TURMOIL = 24
/** Ticks without failures. In the first ones people still pay. */
const CALM = 12
const PAYING_CALMLY = 4

/** Plays one seed: two chains, their servers, payers and payees, with failures, and then without. The same seed ends with the same ledger. */
export async function playChains(seed: number): Promise<ChainsOutcome> {
  const level: FaultLevel = (['none', 'some', 'some', 'storm'] as const)[seed % 4] ?? 'some'
  const platform = await openPlatform(seed, level)
  try {
    return await play(seed, platform)
  } finally {
    platform.close()
  }
}

async function play(seed: number, platform: Platform): Promise<ChainsOutcome> {
  const { world, bitcoin, ethereum, servers, chance } = platform
  const counts = new Map<string, number>()
  const count = (kind: string) => counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const payers = openPayers(platform)
  const payees = openPayees(platform)
  const watch = openWatch(platform, payers, payees)
  let tick = 0
  let calmSince: number | null = null
  let broken: ChainsOutcome['broken'] = null

  const check = async (calls: number | null, isLast = false): Promise<void> => {
    broken ??= await watch.check({ tick, calmSince, calls, isLast })
  }

  /** A minute: cron, and at times an investor who has paid looks at the same moment. */
  const minute = async (): Promise<void> => {
    world.pass(MINUTE_MS)
    world.begin(tick)
    servers.forgetCalls()
    const twice = world.faults.counts.get('cron_twice') ?? 0
    if (calmSince === null && chance.is(0.15)) {
      count('An investor looked while cron ran')
      const looks = async () =>
        void (await platform.call(chance.pick(INVESTORS), 'POST', '/payments/check', {}))
      const ends = await world.together([() => world.cron('chains'), looks])
      for (const each of ends) if (each.status === 'rejected') throw each.reason
    } else await world.cron('chains')
    const isAlone = twice === (world.faults.counts.get('cron_twice') ?? 0)
    await check(isAlone ? servers.calls : null)
  }

  // The price of a coin is believed once a second list confirms the first.
  world.begin(0)
  for (let lists = 0; lists < 3; lists++) {
    world.pass(6 * MINUTE_MS)
    ethereum.mine(world.now())
    await world.cron('chains')
  }
  world.faults.start()
  for (tick = 1; tick <= TURMOIL && broken === null; tick++) {
    servers.end(tick)
    for (const chain of ['bitcoin', 'ethereum'] as const) if (chance.is(0.14)) servers.begin(chain, tick)
    world.begin(10_000 + tick)
    for (let acts = chance.whole(0, 2); acts > 0; acts--) await payers.act()
    if (chance.is(0.1)) payers.takeBack()
    if (chance.is(0.4)) await payees.act(tick)
    if (chance.is(0.04)) {
      count('Time passed')
      world.pass(chance.whole(20, 70) * MINUTE_MS)
    }
    moveChains(tick, count)
    await minute()
  }
  world.faults.stop()
  servers.end(tick, true)
  // Nothing is credited without a price, and the provider may have been silent.
  for (let waited = 0; waited < MOST_WAITED && !(await hasPrices(platform)); waited++) {
    ethereum.mine(world.now())
    await minute()
    tick++
  }
  // Blocks that nobody could search meanwhile are searched some at a time.
  calmSince = tick + (await ticksBehind(platform))
  for (const last = calmSince + CALM; tick <= last && broken === null; tick++) {
    world.begin(10_000 + tick)
    if (tick < calmSince + PAYING_CALMLY) {
      if (chance.is(0.6)) await payers.act()
    } else await payees.finish()
    bitcoin.mine({ nowMs: world.now() })
    for (let blocks = 0; blocks < 3; blocks++) ethereum.mine(world.now())
    await minute()
  }
  if (broken === null) await check(null, true)
  const rows = await platform.rows<{ state: string; n: number }>(
    'SELECT state, count(*) AS n FROM payments GROUP BY state',
  )
  const of = (state: string) => rows.find((row) => row.state === state)?.n ?? 0
  const [[payouts], [completed], [unknown]] = await Promise.all([
    platform.rows<{ n: number }>("SELECT count(*) AS n FROM payouts WHERE state = 'confirmed'"),
    platform.rows<{ n: number }>(
      "SELECT count(*) AS n FROM requests WHERE queue = 'withdrawals' AND status = 'completed'",
    ),
    platform.rows<{ n: number }>('SELECT count(*) AS n FROM unknown_receipts'),
  ])
  for (const [fault, times] of world.faults.counts) counts.set(FAULTS[fault as Fault], times)
  for (const source of [servers.counts, payers.counts, payees.counts])
    for (const [kind, times] of source) counts.set(kind, times)
  return {
    seed,
    broken,
    ledger: await ledgerOf(platform),
    counts,
    results: {
      credited: of('credited'),
      queued: of('queued') + of('final') + (unknown?.n ?? 0),
      undone: of('undone'),
      gone: of('gone'),
      payouts: payouts?.n ?? 0,
      withdrawals: completed?.n ?? 0,
    },
  }

  /** New blocks, and reorganisations of one to six. */
  function moveChains(at: number, counted: (kind: string) => void): void {
    const nowMs = world.now()
    const leastRate = chance.is(0.3) ? 10 : 0
    for (let blocks = chance.pick([0, 0, 1, 1, 2]); blocks > 0; blocks--)
      bitcoin.mine({ nowMs, leastRate, share: 0.6 })
    const leastFee = chance.is(0.3) ? 5_000_000_000n : 0n
    for (let blocks = chance.whole(1, 4); blocks > 0; blocks--) ethereum.mine(nowMs, { leastFee, share: 0.5 })
    if (chance.is(0.08)) {
      const depth = chance.whole(1, 6)
      counted(`Bitcoin was reorganised by ${depth} blocks`)
      if (chance.is(0.5)) servers.lag('bitcoin', chance.whole(1, 3), at)
      const outside = bitcoin.view.main
        .slice(-depth)
        .flatMap(({ transactions }) => transactions.slice(1).filter(({ isFromOutside }) => isFromOutside))
      bitcoin.reorganise(
        depth,
        outside.filter(() => chance.is(0.3)),
        { nowMs, leastRate },
      )
    }
    if (chance.is(0.08)) {
      const depth = chance.whole(1, 6)
      counted(`Ethereum was reorganised by ${depth} blocks`)
      if (chance.is(0.5)) servers.lag('ethereum', chance.whole(1, 3), at)
      const outside = ethereum.view.blocks
        .slice(-depth)
        .flatMap(({ transactions }) => transactions.filter(({ from }) => from === null))
      // A sweep of the operators is not taken back: its effect was computed for balances that stay.
      const dropped = outside.filter(({ isSweep }) => !isSweep && chance.is(0.3)).map(({ hash }) => hash)
      ethereum.reorganise(depth, dropped, nowMs)
    }
  }
}

const MOST_WAITED = 180

/** Whether the platform believes a price of each coin. */
async function hasPrices({ db, world }: Platform): Promise<boolean> {
  const [rows] = await readTogether(db, readRates(db))
  const env = { MARKET_BASE_URL: 'https://prices.evenkeel.test' } as Env
  return Object.values(COINS).every(
    (coin) => findRate(rows, coin, { env, nowMs: world.now() }, FRESH_MS) !== null,
  )
}

/** A price that stays believed during the rest of a run. */
const FRESH_MS = 30 * MINUTE_MS

/** Ticks in which the platform searches what it has missed: four blocks of Bitcoin and 32 of Ethereum each. */
async function ticksBehind({ rows, bitcoin, ethereum }: Platform): Promise<number> {
  const [row] = await rows<{ bitcoin: number; ethereum: number }>(`
    SELECT coalesce((SELECT min(height) - 1 FROM bitcoin_headers WHERE searched_at IS NULL), (SELECT max(height) FROM bitcoin_headers)) AS bitcoin,
           (SELECT height FROM ethereum_positions WHERE name = 'finalised') AS ethereum`)
  if (row === undefined) return 0
  return Math.max(
    0,
    Math.floor((bitcoin.height - row.bitcoin - 1) / 4),
    Math.floor((ethereum.finalised - row.ethereum - 1) / 32),
  )
}

/** Compares the platform with the honest chains after each tick. */
function openWatch(platform: Platform, payers: Payers, payees: Payees) {
  const finalSince = new Map<string, number>()
  const paidSince = new Map<string, number>()
  let creditedBefore: ReadonlySet<string> = new Set()
  let completedBefore: ReadonlySet<string> = new Set()
  let sentBefore = 0
  return {
    check: async (
      at: Pick<Moment, 'tick' | 'calmSince' | 'calls' | 'isLast'>,
    ): Promise<ChainsOutcome['broken']> => {
      const { tick } = at
      const truth = truePayments(platform)
      const payments = await readPayments(platform)
      const withdrawals = await readWithdrawals(platform)
      const paid = new Map(
        payees.withdrawals.map(({ id, network, address }) => [id, paidTo(platform, network, address)]),
      )
      noteSince(
        finalSince,
        tick,
        [...truth].flatMap(([key, { isFinal }]) => (isFinal ? [key] : [])),
      )
      noteSince(
        paidSince,
        tick,
        [...paid].flatMap(([id, [first]]) => (first?.isFinal ? [id] : [])),
      )
      const moment: Moment = {
        ...at,
        platform,
        payers,
        payees,
        payments,
        truth,
        creditedBefore,
        finalSince,
        withdrawals,
        completedBefore,
        paidSince,
        sent: platform.sent.slice(sentBefore),
      }
      for (const [rule, isKept] of Object.entries(CHAIN_RULES)) {
        const finding = await isKept(moment)
        if (finding !== null) return { rule, finding, tick }
      }
      creditedBefore = new Set(
        payments.filter(({ credits, state }) => credits > 0 && state !== 'undone').map(keyOf),
      )
      completedBefore = new Set(
        withdrawals.filter(({ status }) => status === 'completed').map(({ id }) => id),
      )
      sentBefore = platform.sent.length
      return null
    },
  }
}

/** Remembers since when each of these is there, and forgets what is not. */
function noteSince(since: Map<string, number>, tick: number, there: readonly string[]): void {
  const now = new Set(there)
  for (const key of since.keys()) if (!now.has(key)) since.delete(key)
  for (const key of now) if (!since.has(key)) since.set(key, tick)
}

async function ledgerOf({ rows }: Platform): Promise<string> {
  const hash = createHash('sha256')
  for (const sql of [
    'SELECT id, code, from_account, to_account, amount, ref, at FROM transfers ORDER BY seq',
    'SELECT id, asset, quantity, code, ref, at FROM custody_entries ORDER BY seq',
    'SELECT network, reference, investor, quantity, state, amount, rate, rule FROM payments ORDER BY seq',
    'SELECT id, chain, state, height, problem FROM payouts ORDER BY seq',
  ])
    hash.update(JSON.stringify(await rows(sql)))
  return hash.digest('hex')
}
