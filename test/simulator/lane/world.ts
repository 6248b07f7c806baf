import { AsyncLocalStorage } from 'node:async_hooks'
import { CRON_JOBS, type CronJob } from '../../../src/contract/console/cronJobs.ts'
import { createApp } from '../../../worker/app.ts'
import { runDueWork } from '../../../worker/cron.ts'
import type { Env } from '../../../worker/lib/env.ts'
import { setRuntime } from '../../../worker/lib/runtime.ts'
import { routes } from '../../../worker/routes.ts'
import { derivePasswordFast } from '../../support/passwords.ts'
import { gateBucket, openBucket } from './bucket.ts'
import { type Chance, chanceOf } from './chance.ts'
import { answerAtOnce } from './crypto.ts'
import { type Gate, MOST_QUERIES } from './d1.ts'
import { drawFaults, type FaultLevel, type Faults, isWriting } from './faults.ts'
import { type Mailboxes, openMailboxes } from './mailboxes.ts'
import { openPrices } from './prices.ts'
import type { SimulatedDatabase, Surroundings } from './sqlite.ts'

/** The address of the simulated site. */
export const ORIGIN = 'https://evenkeel.test'

/** A request never came back: the Worker was killed. */
export class NoAnswer extends Error {}

/** The whole platform in one process: the Worker's own code, its database, files, mails and prices, its clock and its chance. */
export interface World {
  readonly seed: number
  readonly database: SimulatedDatabase
  readonly mailboxes: Mailboxes
  readonly faults: Faults
  /** What the Worker logged, as lines. */
  readonly logs: string[]
  /** Whether nothing fails and nothing happens at the same time: then no request finds another one under way. */
  isCalm(): boolean
  /** Epoch milliseconds. */
  now(): number
  /** Lets time pass. A negative number sets the clock back. */
  pass(ms: number): void
  /** Begins a step, whose chance depends on the seed and the step's number alone. */
  begin(step: number): void
  /** Sends a request and waits for its deferred work too. Throws `NoAnswer` if the Worker was killed, or a file broke off. */
  send(request: Request): Promise<WholeResponse>
  /** Sends requests at the same time. Their calls to the database interleave by chance. */
  together<T>(works: readonly (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]>
  /** Takes a turn among the calls of works at the same time, while all others wait. */
  turn<T>(work: () => Promise<T>): Promise<T>
  /** Starts a new Worker in the second instance that cron runs in, or in both. It remembers nothing. */
  deploy(instances: 'second' | 'both'): void
  /** Runs cron once. */
  cron(jobs?: CronJobs): Promise<void>
  close(): void
}

/**
 * Which jobs cron runs: all of them; without the self-checks, which go through the whole database; only those that go on with
 * what people did; or only those that follow the chains.
 */
export type CronJobs = 'all' | 'without self-checks' | 'after an act' | 'chains'

/** An answer that has arrived. */
export interface WholeResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface WorldOptions {
  readonly seed: number
  readonly startMs: number
  readonly faults: FaultLevel
  /** Opens an empty, migrated database. */
  readonly open: (surroundings: Surroundings) => SimulatedDatabase
  /** An empty bucket; one in memory without it. */
  readonly files?: R2Bucket
  /** Whether `crypto.subtle` answers at once. Without that, runs with requests at the same moment may differ. */
  readonly isSynchronous: boolean
  /** More settings of the Worker. */
  readonly settings?: Partial<Env>
  /** Sees each request to another server first. Answers it, or null to leave it to the others. */
  readonly network?: (address: string, init: RequestInit) => Response | null
}

/** Builds an empty platform. Only one may exist at a time, since it replaces the process's clock and chance. */
export function buildWorld({
  seed,
  startMs,
  faults: level,
  open,
  files = openBucket(),
  isSynchronous,
  settings = {},
  network = () => null,
}: WorldOptions): World {
  let nowMs = startMs
  let chance: Chance = chanceOf(seed, 'start')
  // Faults draw from a source of their own, so that a run with them makes the same ids.
  let misfortune: Chance = chanceOf(seed, 'start', 'faults')
  const faults = drawFaults(level)
  // So does the database: triggers in workerd draw from SQLite.
  let databaseChance: Chance = chanceOf(seed, 'start', 'database')
  const database = open({ now: () => nowMs, chance: () => databaseChance })
  const mailboxes = openMailboxes()
  const answerPrices = openPrices(faults)
  const logs: string[] = []
  const queue = openQueue(() => chance)
  const cronInstances: [Instance, Instance] = [openInstance(database), openInstance(database)]

  const restore = [
    isSynchronous ? answerAtOnce() : () => {},
    captureLogs(logs),
    setRuntime({
      now: () => nowMs,
      fill: (bytes) => chance.fill(bytes),
      wait: async (ms) => {
        // Clocks tell whole milliseconds.
        nowMs += Math.ceil(ms)
        await queue.turn()
      },
      timeout: () => new AbortController().signal,
      fetch: (address, init) =>
        queue.turn(() => {
          const answer = network(address, init)
          if (answer !== null) return answer
          if (address.startsWith('https://api.resend.com/'))
            return mailboxes.deliver(init, nowMs, faults, misfortune)
          if (address.startsWith(PRICES)) return answerPrices(address, nowMs, misfortune)
          throw new TypeError(`The simulated network has no ${address}`)
        }),
      derivePassword: derivePasswordFast,
    }),
  ]

  /**
   * The bindings of one invocation of the Worker. `killed` settles when it is killed. `instance` is one of those that cron runs in:
   * it keeps its binding, and with it what the Worker remembers, until it ends.
   */
  const invocation = (instance = openInstance(database)): { env: Env; killed: Promise<never> } => {
    let isKilled = false
    let kill: (reason: NoAnswer) => void = () => {}
    const killed = new Promise<never>((_, reject) => {
      kill = reject
    })
    // Nobody may be waiting for it.
    killed.catch(() => {})
    const never = () => new Promise<never>(() => {})
    /** Ends a turn of the queue, and the invocation with it. */
    const die = (): Promise<never> => {
      isKilled = true
      // Often the instance goes on, with what an unfinished run left in its memory.
      const place = cronInstances.indexOf(instance)
      if (place !== -1 && misfortune.is(INSTANCE_ENDS)) cronInstances[place] = openInstance(database)
      queue.free()
      kill(new NoAnswer('The Worker was killed.'))
      return never()
    }
    const gate: Gate = async (queries, execute) => {
      if (isKilled) return never()
      return queue.turn(async () => {
        if (isKilled || faults.happens('killed_before', misfortune, 0.3)) return die()
        if (faults.happens('overloaded', misfortune)) throw new Error('D1_ERROR: D1 DB is overloaded.')
        const writes = isWriting(queries)
        if (writes && faults.happens('refused_batch', misfortune))
          throw new Error('D1_ERROR: internal error; storage operation exceeded timeout')
        if (faults.happens('slow', misfortune)) nowMs += misfortune.whole(1000, 20_000)
        const results = await execute()
        if (writes && faults.happens('killed_after', misfortune, 0.5)) return die()
        if (writes && faults.happens('lost_answer', misfortune))
          throw new Error('D1_ERROR: Network connection lost.')
        return results
      })
    }
    instance.begin(gate)
    const env: Env = {
      DB: instance.binding,
      FILES: gateBucket(files, {
        pass: async (execute) => {
          if (isKilled) return never()
          return queue.turn(() => {
            if (faults.happens('file_lost', misfortune)) throw new Error('internal error (10001)')
            return execute()
          })
        },
        happens: (fault) => faults.happens(fault, misfortune, 5),
      }),
      APP_ENV: 'production',
      PUBLIC_ORIGIN: ORIGIN,
      MAIL_FROM: 'Evenkeel <no-reply@evenkeel.test>',
      RESEND_API_KEY: 'simulated-key',
      RATE_LIMITS: 'on',
      MARKET_BASE_URL: PRICES,
      CANDLES_PROVIDER: 'simulated',
      VAULT_KEYS,
      ...settings,
    }
    return { env, killed }
  }

  const cronIn = async (
    instance: Instance,
    skipped: ReadonlySet<CronJob>,
    minuteMs = nowMs,
  ): Promise<void> => {
    const { env, killed } = invocation(instance)
    await Promise.race([runDueWork(env, minuteMs, skipped), killed]).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error
    })
  }

  const app = createApp(routes)

  const settle = async (deferred: Promise<unknown>[], killed: Promise<never>): Promise<void> => {
    for (let done = 0; done < deferred.length; done++)
      await Promise.race([deferred[done], killed]).catch(() => undefined)
  }

  return {
    seed,
    database,
    mailboxes,
    faults,
    logs,
    isCalm: () => level === 'none' && !queue.isShared(),
    now: () => nowMs,
    pass: (ms) => {
      nowMs += ms
    },
    begin: (step) => {
      chance = chanceOf(seed, step)
      misfortune = chanceOf(seed, step, 'faults')
      databaseChance = chanceOf(seed, step, 'database')
    },
    send: async (request) => {
      const { env, killed } = invocation()
      const deferred: Promise<unknown>[] = []
      const context = {
        waitUntil: (work: Promise<unknown>) => {
          deferred.push(work)
        },
        passThroughOnException: () => {},
        props: {},
      }
      const response = await Promise.race([app.fetch(request, env, context as ExecutionContext), killed])
      await settle(deferred, killed)
      const { status, headers } = response
      // A file is streamed once the answer has begun, and may break off.
      const whole = response.text().catch(() => Promise.reject(new NoAnswer('The file broke off.')))
      return { status, headers, text: await Promise.race([whole, killed]) }
    },
    together: (works) => queue.together(works),
    turn: (work) => queue.turn(work),
    deploy: (instances) => {
      if (instances === 'both') cronInstances[0] = openInstance(database)
      cronInstances[1] = openInstance(database)
    },
    cron: async (jobs = 'without self-checks') => {
      const skipped = SKIPPED[jobs]
      if (faults.lasts('cron_stopped', misfortune, nowMs, 0.2)) return
      const [first, second] = cronInstances
      if (!faults.happens('cron_twice', misfortune, 10))
        return cronIn(faults.happens('cron_elsewhere', misfortune, 50) ? second : first, skipped)
      const minute = nowMs
      const runs = await queue.together([
        () => cronIn(first, skipped, minute),
        () => cronIn(second, skipped, minute),
      ])
      for (const each of runs) if (each.status === 'rejected') throw each.reason
    },
    close: () => {
      queue.close()
      for (const undo of restore) undo()
      database.close()
    },
  }
}

/** Jobs that time alone makes due. */
const TIMED: readonly CronJob[] = [
  'auditWitness',
  'cleanUp',
  'factorRecovery',
  'retention',
  'wrappingKeys',
  'decisionTimes',
  'books',
  'liabilities',
  'candles',
  'strategies',
  // Without failures, prices are half a day old at most.
  'market',
]
/** Jobs that follow the chains, and the one whose prices they credit at. */
const OF_CHAINS: ReadonlySet<CronJob> = new Set(['market', 'payments', 'payouts', 'reserves'])
const SKIPPED: Readonly<Record<CronJobs, ReadonlySet<CronJob>>> = {
  all: new Set(),
  'without self-checks': new Set(['selfCheck']),
  'after an act': new Set(['selfCheck', ...TIMED]),
  chains: new Set((Object.keys(CRON_JOBS) as CronJob[]).filter((job) => !OF_CHAINS.has(job))),
}
const PRICES = 'https://prices.evenkeel.test'
/** A key of the simulation, which protects nothing. */
const VAULT_KEYS = `1:${Buffer.alloc(32, 1).toString('base64')}`

/** The database as one instance of the Worker sees it, through one binding for all its invocations. */
interface Instance {
  readonly binding: D1Database
  /** Begins an invocation, whose calls this gate lets through. */
  begin(gate: Gate): void
}

function openInstance(database: SimulatedDatabase): Instance {
  let current: Gate | null = null
  let queries = 0
  const binding = database.bind((calls, execute) => {
    queries += calls.length
    if (queries > MOST_QUERIES)
      throw new Error('D1_ERROR: Too many API requests by single worker invocation.')
    if (current === null) throw new Error('No invocation has begun.')
    return current(calls, execute)
  })
  return {
    binding,
    begin: (gate) => {
      current = gate
      queries = 0
    },
  }
}

/** How often the instance of the Worker ends with an invocation that is killed. */
const INSTANCE_ENDS = 0.1

/** How many rounds of the event loop the next call waits for works that do not wait for a turn. */
const MOST_ROUNDS = 100

const IS_WORKERD = navigator.userAgent === 'Cloudflare-Workers'

/**
 * Decides which call to the database, to files or to the network is next. All others first run until they wait for their own turn.
 * So the order does not depend on how long a call takes, here or in workerd. It is the order in which they came; chance
 * decides among works that run at the same time, in the order in which these began.
 */
function openQueue(chance: () => Chance) {
  /** How many works run at the same time; 0 for one alone. */
  let running = 0
  let isBusy = false
  let isStarting = false
  let isClosed = false
  /** The name of each work that runs at the same time as others, known to all that it calls. */
  const works = new AsyncLocalStorage<string>()
  const waiting: { readonly work: string; readonly begin: () => void }[] = []
  const startNext = (): void => {
    if (isBusy || isStarting || isClosed || waiting.length === 0) return
    isStarting = true
    const start = (rounds: number): void => {
      // A work that does not wait yet still reads a body, which takes several rounds.
      if (rounds > 0 && running > 0 && new Set(waiting.map(({ work }) => work)).size < running) {
        setImmediate(start, rounds - 1)
        return
      }
      isStarting = false
      if (isClosed) return
      isBusy = true
      if (running > 0) waiting.sort((a, b) => (a.work < b.work ? -1 : a.work > b.work ? 1 : 0))
      const index = running > 0 ? chance().whole(0, waiting.length - 1) : 0
      waiting.splice(index, 1)[0]?.begin()
    }
    // In Node everything answers at once. A work alone needs no round, which takes the machine longer than most calls.
    if (running === 0 && !IS_WORKERD) afterPromises(() => start(0))
    else setImmediate(start, MOST_ROUNDS)
  }
  const free = (): void => {
    isBusy = false
    startNext()
  }
  return {
    isShared: () => running > 0,
    /** Nobody gets a turn any more: not even what a killed invocation had begun. */
    close: () => {
      isClosed = true
    },
    /** Lets the next work go on although this one never ends its turn. */
    free,
    /** Waits for this work's turn, and keeps the others waiting until `during` is done. */
    async turn<T>(during: () => Promise<T> | T = () => undefined as T): Promise<T> {
      await new Promise<void>((resolve) => {
        waiting.push({ work: works.getStore() ?? '', begin: resolve })
        startNext()
      })
      try {
        return await during()
      } finally {
        free()
      }
    },
    async together<T>(all: readonly (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> {
      // Works within a work take turns with the others, and that work waits for them.
      const itself = running > 0 ? 1 : 0
      running += all.length - itself
      const name = works.getStore() ?? ''
      const results = await Promise.allSettled(
        all.map((work, index) =>
          works.run(`${name}/${index}`, work).finally(() => {
            running -= 1
          }),
        ),
      )
      running += itself
      return results
    },
  }
}

/** Calls this once all promises that can settle have settled. Node empties the queue of promises before each tick. */
function afterPromises(call: () => void): void {
  process.nextTick(() => queueMicrotask(() => process.nextTick(call)))
}

/** Takes what the Worker logs instead of printing it. */
function captureLogs(logs: string[]): () => void {
  const levels = ['log', 'info', 'warn', 'error'] as const
  const own = levels.map((level) => console[level])
  for (const level of levels) {
    console[level] = (...parts: unknown[]) => {
      logs.push(parts.map(String).join(' '))
    }
  }
  return () => {
    for (const [index, level] of levels.entries()) console[level] = own[index] as typeof console.log
  }
}
