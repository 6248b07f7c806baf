import { createHash } from 'node:crypto'
import { DAY_MS } from '../../src/time.ts'
import { segwitSigner } from '../support/signers.ts'
import { runCron } from './cron.ts'
import { type Chance, chanceOf } from './lane/chance.ts'
import type { Fault, FaultLevel } from './lane/faults.ts'
import { MIGRATION } from './lane/migration.ts'
import { buildWorld, type CronJobs, type World, type WorldOptions } from './lane/world.ts'
import { Model } from './model.ts'
import { Client } from './people/client.ts'
import { homeOf } from './people/homes.ts'
import { type Investor, TEMPERAMENTS, visit } from './people/investor.ts'
import { CAREFUL, type Character, CORRUPT, HASTY, type Operating, work } from './people/operator.ts'
import { type Backup, makeBackup, restoreBackup } from './people/restore.ts'
import { manage, openHouse, PASSWORD } from './people/staff.ts'
import { notice, steal } from './people/thief.ts'
import { CRON_MINUTES, checksItself, planOf, type Step } from './plan.ts'
import { type Inspector, openInspector } from './rules.ts'
import { Broken, openWatch, type Watch } from './watch.ts'

export interface RunOptions extends Pick<WorldOptions, 'open' | 'files' | 'isSynchronous'> {
  readonly seed: number
  readonly days: number
  readonly investors: number
  readonly faults: FaultLevel
  /** Epoch milliseconds of the first day's 00:00 UTC. */
  readonly startMs?: number
  /** How many times as often the investors visit: 1 without it. */
  readonly haste?: number
  /** Plays only these steps of the plan. */
  readonly only?: ReadonlySet<number>
  /** Cron runs in each minute instead of those in which it has something to do. A day then takes seconds. */
  readonly everyMinute?: boolean
  /** Called after each simulated week. */
  readonly progress?: (day: number, watch: Watch) => void
}

/** What a run ended with. */
export interface Outcome {
  readonly days: number
  /** The numbers of the steps that were played. */
  readonly played: readonly number[]
  readonly requests: number
  readonly decisions: number
  readonly checks: number
  readonly faults: ReadonlyMap<Fault, number>
  /** Dollars moved, by kind of transfer. */
  readonly moved: readonly { code: string; times: number; cents: number }[]
  /** SHA-256 of all transfers, custody entries and pool entries. */
  readonly ledger: string
  readonly failure: Failure | null
}

export interface Failure {
  readonly rule: string
  readonly finding: string
  readonly step: Step | null
  readonly trace: readonly string[]
}

/** Without another start. Ten years from here have three leap days. */
const START_MS = Date.UTC(2025, 0, 1)
const CHARACTERS: readonly Character[] = [CAREFUL, HASTY, CORRUPT]
/** With more investors than this, they compare every screen less often. */
const THOROUGH_INVESTORS = 40
/** After the plan, failures stop, and everybody may take all money out within this time. */
const CLOSING_DAYS = 15
const MINUTE_MS = 60_000

/** Plays one seed. Never throws for a broken rule: that is the outcome. */
export async function run(options: RunOptions): Promise<Outcome> {
  const {
    seed,
    days,
    investors: count,
    faults,
    only,
    startMs = START_MS,
    everyMinute = false,
    progress,
  } = options
  const world = buildWorld({ ...options, startMs })
  const watch = openWatch(world)
  const model = new Model()
  const inspector = openInspector(world, model)
  const at: Operating = { world, watch, model, thoroughness: Math.min(1, THOROUGH_INVESTORS / count) }
  const plan = planOf({
    seed,
    startMs: startMs + DAY_MS,
    days,
    investors: count,
    hasFaults: faults !== 'none',
    haste: options.haste ?? 1,
  })
  let current: Step | null = null
  const played: number[] = []
  let failure: Failure | null = null
  try {
    const operators = await openHouse(at)
    world.faults.start()
    const investors = Array.from({ length: count }, (_, who) => newInvestor(at, seed, who))
    const cast: Cast = {
      operators,
      investors,
      seed,
      inspector,
      startMs,
      backup: null,
      migrated: 0,
      closedUntilMs: 0,
    }
    for (const step of plan) {
      if (only !== undefined && !only.has(step.number)) continue
      // Nobody comes while the site is closed for a restored backup.
      if (step.atMs < cast.closedUntilMs && ACTS.has(step.kind) && step.kind !== 'notice') continue
      current = step
      played.push(step.number)
      if (everyMinute) await runCronUntil(at, step.atMs)
      await play(at, step, cast)
      if (ACTS.has(step.kind)) {
        const chance = chanceOf(seed, step.number, 'cron')
        await runNextCron(at, chance.is(WHOLE_CRON[faults]) ? 'without self-checks' : 'after an act')
      }
      if (step.kind === 'check') progress?.(Math.round((step.atMs - startMs) / DAY_MS), watch)
    }
    current = null
    await letEverybodyOut(at, cast)
    watch.checked(await inspector.checkAll())
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const rule = error instanceof Broken ? error.rule : 'noUnexpectedError'
    const finding =
      error instanceof Broken
        ? error.message
        : `${rule}: ${error.message}\n${error.stack ?? ''}\n${world.logs.slice(-3).join('\n')}`
    failure = { rule, finding, step: current, trace: [...watch.trace] }
  }
  const outcome: Outcome = {
    days,
    played,
    requests: watch.requests,
    decisions: watch.decisions,
    checks: watch.checks,
    faults: new Map(world.faults.counts),
    moved: await world.database.rows(
      'SELECT code, count(*) AS times, sum(amount) AS cents FROM transfers GROUP BY code ORDER BY code',
    ),
    ledger: await hashOfLedger(world),
    failure,
  }
  world.close()
  return outcome
}

/** What people do, after which cron has something to do. */
const ACTS: ReadonlySet<Step['kind']> = new Set(['visit', 'work', 'manage', 'thief', 'notice'])

/** The share of acts after which cron runs its timed jobs too. In a storm most runs of cron do not reach their end. */
const WHOLE_CRON: Readonly<Record<FaultLevel, number>> = { none: 0.25, some: 0.25, storm: 1 }

/** Cron's runs have numbers of their own, by the minute, so that the same minute has the same chance in every run. */
const CRON_NUMBERS = 2_000_000_000

/** Runs cron at this time. */
async function runCronNow(at: Operating, jobs?: CronJobs): Promise<void> {
  at.world.begin(CRON_NUMBERS + Math.floor((at.world.now() - START_MS) / MINUTE_MS))
  await runCron(at, jobs)
}

/** Runs cron in the next minute. */
async function runNextCron(at: Operating, jobs?: CronJobs): Promise<void> {
  at.world.pass(MINUTE_MS - (at.world.now() % MINUTE_MS))
  await runCronNow(at, jobs)
}

/** Runs cron in each minute before a time. */
async function runCronUntil(at: Operating, untilMs: number): Promise<void> {
  const { world } = at
  while (world.now() - (world.now() % MINUTE_MS) + MINUTE_MS < untilMs) await runNextCron(at)
}

interface Cast {
  readonly operators: Client[]
  readonly investors: readonly Investor[]
  readonly seed: number
  readonly inspector: Inspector
  readonly startMs: number
  /** The newest backup. */
  backup: Backup | null
  /** How many files of the migration were applied. */
  migrated: number
  /** Until when the site was closed. Epoch milliseconds. */
  closedUntilMs: number
}

async function play(at: Operating, step: Step, cast: Cast): Promise<void> {
  const { world } = at
  const { operators, investors, seed, inspector, startMs } = cast
  // Requests take time: a late step is not early again.
  if (step.atMs > world.now()) world.pass(step.atMs - world.now())
  world.begin(step.number)
  const chance = chanceOf(seed, step.number, 'person')
  const investor = investors[step.who % investors.length]
  switch (step.kind) {
    case 'cron':
      await runCronNow(at, checksItself(step.atMs, step.atMs - startMs) ? 'all' : 'without self-checks')
      for (let more = 0; more < MOST_MINUTES && (await isBehind(world)); more++) await runNextCron(at)
      return
    case 'visit':
      return investor && visit(at, investor, chance)
    case 'work':
      return workPerhapsTogether(at, step, { operators, seed }, chance)
    case 'manage':
      return manage(at, operators, chance)
    case 'thief':
      return investor && steal(at, investor, chance)
    case 'notice':
      return investor && notice(at, investor, chance)
    case 'clock back':
      world.faults.isPlanned('clock_back')
      world.pass(-chance.whole(1000, 120_000))
      return
    case 'backup':
      cast.backup = await makeBackup(at, cast)
      return
    case 'restore':
      if (cast.backup === null || !world.faults.isPlanned('backup_restored')) return
      await restoreBackup(at, cast, cast.backup, chance)
      // The backup was restored by the version that made it, and this one is deployed on top.
      for (const migrate of MIGRATION.slice(0, cast.migrated)) await migrate(world.database)
      inspector.restored()
      at.watch.checked(await inspector.check())
      cast.closedUntilMs = world.now()
      return
    case 'deploy':
      if (world.faults.isPlanned('migrated')) await deploy(at, step, cast, chance)
      return
    case 'check':
      at.watch.checked(await inspector.check())
  }
}

/**
 * The most further minutes in which cron runs after one of its steps. Most runs of a storm do not reach their end, and a job does
 * little in the seconds that it has in each.
 */
const MOST_MINUTES = 20

/** Whether a strategy has not traded today. */
async function isBehind({ database, now }: World): Promise<boolean> {
  const behind = await database.rows(
    `SELECT 1 FROM pools p WHERE NOT EXISTS (SELECT 1 FROM pool_steps s WHERE s.strategy = p.strategy AND s.day >= ?1) LIMIT 1`,
    now() - (now() % DAY_MS),
  )
  return behind.length > 0
}

/** The most calls of requests under way before a migration is applied. */
const MOST_CALLS = 60

/**
 * Applies a migration while investors act, and its second file while operators work and cron runs. From then on cron runs in an old
 * instance and in a new one.
 */
async function deploy(at: Operating, { who, number }: Step, cast: Cast, chance: Chance): Promise<void> {
  const { world } = at
  const { operators, investors, seed } = cast
  const migrate = (file: number) => async () => {
    for (let calls = chance.whole(0, MOST_CALLS); calls > 0; calls--) await world.turn(async () => {})
    await world.turn(async () => MIGRATION[file]?.(world.database))
    cast.migrated = file + 1
  }
  const visitors = [who, who + 1].map((each) => async () => {
    const investor = investors[each % investors.length]
    if (investor !== undefined) await visit(at, investor, chanceOf(seed, number, 'visitor', each))
  })
  const workers = operators
    .slice(0, 2)
    .map((operator, index) => () => work(at, operator, CAREFUL, chanceOf(seed, number, 'worker', index)))
  for (const works of [
    [...visitors, migrate(0)],
    [...workers, () => runCron(at), migrate(1)],
  ])
    for (const each of await world.together(works)) if (each.status === 'rejected') throw each.reason
  world.deploy('second')
}

/** An operator works, at times at the same moment as a second one and cron. Of two decisions about one case, one counts. */
async function workPerhapsTogether(
  at: Operating,
  { who, number }: Step,
  { operators, seed }: Pick<Cast, 'operators' | 'seed'>,
  chance: Chance,
): Promise<void> {
  const { world } = at
  const worker = (index: number, own: Chance) => async () => {
    const operator = operators[index % operators.length]
    if (operator !== undefined)
      await work(at, operator, CHARACTERS[index % CHARACTERS.length] ?? CAREFUL, own)
  }
  if (!world.faults.happens('operators_together', chance, 100)) return worker(who, chance)()
  const second = worker(who + 1, chanceOf(seed, number, 'second operator'))
  for (const each of await world.together([worker(who, chance), second, () => runCron(at)]))
    if (each.status === 'rejected') throw each.reason
}

function newInvestor({ world, watch }: Operating, seed: number, who: number): Investor {
  const email = `investor${who}@people.test`
  const home = homeOf(who)
  // Many share a network: its last 64 bits, or 8, are the person's.
  const number = Math.floor(who / 200)
  const ip = home.network.endsWith('.')
    ? home.network.replace(/\d+\.$/, `${number}.${(who % 200) + 1}`)
    : `${home.network}${who.toString(16)}:0:0:0:1`
  return {
    client: new Client(world, watch, { email, password: PASSWORD, ip, home }),
    temperament: TEMPERAMENTS[who % TEMPERAMENTS.length] ?? TEMPERAMENTS[0],
    address: segwitSigner(`${seed}-${who}`).address,
    savings: segwitSigner(`${seed}-${who}-savings`).address,
    stage: 'new',
    registeredAtMs: 0,
    isLeaving: false,
    isClosing: false,
    isRobbed: false,
    stolen: [],
    unannounced: [],
    formerCode: null,
  }
}

/**
 * Liveness: once failures stop, every honest investor gets all money out within 15 days, and every accepted request ends.
 */
async function letEverybodyOut(at: Operating, cast: Cast): Promise<void> {
  const { world, watch } = at
  world.faults.stop()
  for (const investor of cast.investors) investor.isLeaving = true
  for (let day = 0; day < CLOSING_DAYS; day++) {
    const number = 1_000_000_000 + day * 20_000
    const dayMs = Math.ceil(world.now() / DAY_MS) * DAY_MS
    world.pass(dayMs - world.now())
    for (const minute of CRON_MINUTES) {
      const isChecked = minute === 0 && (day === 0 || day === CLOSING_DAYS - 1)
      await runCronNow(at, isChecked ? 'all' : 'without self-checks')
      world.pass(60_000)
    }
    for (const [who, investor] of cast.investors.entries()) {
      if (day % 3 !== 0 || investor.stage !== 'verified') continue
      world.begin(number + 2000 + who)
      await visit(at, investor, chanceOf(cast.seed, 'leaving', day, who))
    }
    for (const [who, operator] of cast.operators.entries()) {
      if (who === 2) continue
      world.begin(number + 19_000 + who)
      await work(at, operator, CAREFUL_TO_THE_END, chanceOf(cast.seed, 'closing', day, who))
    }
  }
  const open = await world.database.rows<{ ref: string; status: string }>(
    `SELECT ref, status FROM requests WHERE queue = 'withdrawals' AND status IN ('pending', 'approved')`,
  )
  if (open.length > 0) throw new Broken('everyRequestEnds', JSON.stringify(open.slice(0, 3)))
  const left = await world.database.rows<{ id: string; balance: number }>(
    `SELECT id, balance FROM accounts WHERE kind IN ('available', 'held', 'allocating', 'invested') AND balance > 0`,
  )
  if (left.length > 0) throw new Broken('everybodyGetsTheirMoneyOut', JSON.stringify(left.slice(0, 3)))
  watch.checked(2)
}

const CAREFUL_TO_THE_END: Character = { diligence: 1, rejects: 0, isCorrupt: false }

/** SHA-256 over everything that moved money, in order. */
async function hashOfLedger({ database }: World): Promise<string> {
  const hash = createHash('sha256')
  for (const sql of [
    'SELECT seq, id, from_account, to_account, amount, code, ref, reverses, actor, at FROM transfers ORDER BY seq',
    'SELECT seq, id, asset, quantity, code, ref, at FROM custody_entries ORDER BY seq',
    'SELECT seq, id, strategy, code, cash, units, asset, quantity, ref, at FROM pool_entries ORDER BY seq',
  ]) {
    for (const row of await database.rows<Record<string, unknown>>(sql))
      hash.update(`${JSON.stringify(Object.values(row))}\n`)
  }
  return hash.digest('hex')
}
