import type { OperatorHealth } from '../../../contract/console/health.ts'
import type { OperatorOverview } from '../../../contract/console/overview.ts'
import { decisionWords, duration } from '../../lib/DecisionTimes.tsx'
import { coverage } from './coverage.ts'
import { isBeyondUsual, QUEUES } from './queues.ts'
import { checkWords, workWords } from './words.ts'

/** Something that needs an operator. `docs/operations.md` lists the beginning of each title. */
export interface Alert {
  readonly id: string
  readonly tone: 'danger' | 'caution'
  readonly title: string
  readonly since?: string | undefined
  /** The facts, and what to do. */
  readonly text: string
  readonly leads?: { readonly href: string; readonly label: string }
  /** The action that the alert offers as a button. */
  readonly act?: 'retry mail'
}

const MINUTE_MS = 60_000
/** The cron runs each minute, and records each run when it ends. */
const CRON_LATE_MS = 5 * MINUTE_MS
const CHECK_LATE_MS = 30 * MINUTE_MS
const MAIL_LATE_MS = 60 * MINUTE_MS
/** Older prices are not used for quotes. */
const PRICES_OLD_MS = 60 * MINUTE_MS
const MANY_FAILED = 50
const MANY_TIMES_USUAL = 5

/** All alerts, gravest first. A part that is not loaded raises none. */
export function alertsOf(
  overview: OperatorOverview | undefined,
  health: OperatorHealth | undefined,
): Alert[] {
  const all = [
    ...(overview ? ofBooks(overview) : []),
    ...(health ? ofHealth(health) : []),
    ...(overview ? ofQueues(overview) : []),
  ]
  return [...all.filter(({ tone }) => tone === 'danger'), ...all.filter(({ tone }) => tone === 'caution')]
}

function* ofBooks(overview: OperatorOverview): Generator<Alert> {
  if (!overview.trialBalance.balanced)
    yield {
      id: 'books',
      tone: 'danger',
      title: 'The books do not balance',
      text: 'Decide nothing about money until it is known why. See what the self-checks found, and follow “The books do not balance” in docs/operations.md.',
    }
  const { differenceUsd, unpriced } = coverage(overview)
  if (differenceUsd < 0 && unpriced.length === 0)
    yield {
      id: 'custody',
      tone: 'caution',
      title: 'Less is held than is owed',
      text: 'At today’s prices. Compare custody with the networks and the bank before the next payout.',
    }
}

function ofHealth(health: OperatorHealth): Alert[] {
  return [
    ...ofCron(health),
    ...ofChecks(health),
    ...ofMail(health),
    ...ofMarket(health),
    ...ofStrategies(health),
    ...ofSignIns(health),
  ]
}

function* ofCron({ at, cron }: OperatorHealth): Generator<Alert> {
  const late = cron.at === null ? null : Date.parse(at) - Date.parse(cron.at)
  if (late === null || late > CRON_LATE_MS)
    yield {
      id: 'cron',
      tone: 'danger',
      title:
        late === null
          ? 'The cron has never run'
          : `The cron has not run for ${duration(Math.floor(late / MINUTE_MS))}`,
      text: 'No mail is sent, nothing is checked and no price renewed meanwhile. Look at its trigger and its log.',
    }
  for (const { name, failedSince, error } of cron.work)
    if (failedSince !== null)
      yield {
        id: `work ${name}`,
        tone: 'danger',
        title: `${workWords(name)} fails`,
        since: failedSince,
        text: `What failed: ${error ?? 'unknown'}. The log has the whole message, under the cron’s “${name}”.`,
      }
}

function* ofChecks({ at, checks, cron }: OperatorHealth): Generator<Alert> {
  for (const check of checks)
    if (!check.ok)
      yield {
        id: `check ${check.name}`,
        tone: 'danger',
        title: `A self-check found something wrong: ${checkWords(check.name)}`,
        text: `${check.finding ?? 'It did not say what'}. Move no money of what it names until it is known why.`,
      }
  const schema = checks.find(({ name }) => name === 'schema')
  const isLate = schema !== undefined && Date.parse(at) - Date.parse(schema.at) > CHECK_LATE_MS
  if (isLate && cron.at !== null)
    yield {
      id: 'checks late',
      tone: 'caution',
      title: 'The self-checks have not run',
      since: schema.at,
      text: 'They run each ten minutes. See whether the cron runs, and what its work “selfCheck” says.',
    }
}

function* ofMail({ at, mail }: OperatorHealth): Generator<Alert> {
  if (!mail.carried)
    yield {
      id: 'carrier',
      tone: 'danger',
      title: 'Nothing carries mails',
      text: `${mail.waiting === 0 ? 'None waits yet' : `${mail.waiting} wait`}. Set MAIL_FROM and a carrier; they are sent once there is one.`,
    }
  const failing = mail.failing.reduce((sum, { count }) => sum + count, 0)
  if (failing > 0)
    yield {
      id: 'mail failing',
      tone: 'caution',
      title: failing === 1 ? 'One mail could not be delivered' : `${failing} mails could not be delivered`,
      since: mail.failingSince ?? undefined,
      text: `${mail.failing.map(({ error, count }) => `${error} (${count})`).join(', ')}. Each is tried again, six hours later at most. Mend the cause, then have them tried at once.`,
      act: 'retry mail',
    }
  else if (mail.carried && mail.oldest !== null && Date.parse(at) - Date.parse(mail.oldest) > MAIL_LATE_MS)
    yield {
      id: 'mail late',
      tone: 'caution',
      title: 'Mails wait to be sent',
      since: mail.oldest,
      text: 'None failed: there are more than are sent, or the cron does not send them.',
    }
}

function* ofMarket({ at, market }: OperatorHealth): Generator<Alert> {
  const coins = market.find(({ name }) => name === 'coins')
  if (coins !== undefined && Date.parse(at) - Date.parse(coins.at) > PRICES_OLD_MS)
    yield {
      id: 'prices',
      tone: 'caution',
      title: 'The prices are old',
      since: coins.at,
      text: 'Nobody is quoted an amount until there are new ones, and custody is valued at the old. See whether the provider answers.',
    }
}

type Strategy = OperatorHealth['strategies'][number]

const STRATEGIES_LINK = { href: '/operator/strategies', label: 'Strategies' }

function ofStrategies({ strategies }: Pick<OperatorHealth, 'strategies'>): Alert[] {
  const late = strategies.filter(({ lateSince }) => lateSince !== null)
  const suspended = strategies.filter(({ status }) => status === 'suspended')
  const lacking = strategies.filter(
    ({ lateSince, lackingSince }) => lateSince === null && lackingSince !== null,
  )
  return [
    ...alertOf(late, ({ lateSince }) => lateSince, {
      id: 'strategies late',
      tone: 'danger',
      title: 'Strategies that are late',
      text: late.some(({ lackingSince }) => lackingSince !== null)
        ? 'Daily bars that have closed are missing, and nothing is traded by a hole. Orders of investors wait meanwhile. They go on by themselves, day by day, once the bars are there.'
        : 'The step of a day is not done, and orders of investors wait meanwhile. See whether the cron runs, and what its work “strategies” says.',
    }),
    ...alertOf(suspended, ({ since }) => since, {
      id: 'strategies suspended',
      tone: 'caution',
      title: 'Strategies that are suspended',
      text:
        suspended.length === 1
          ? (suspended[0]?.reason ?? '')
          : 'Each takes no new money until two operators resume it.',
    }),
    ...alertOf(lacking, ({ lackingSince }) => lackingSince, {
      id: 'strategies lacking',
      tone: 'caution',
      title: 'Strategies that wait for daily bars',
      text: 'Bars that have closed are not here yet. They are asked for again by themselves; what they found stands with the strategy.',
    }),
  ]
}

/** One alert for all strategies with the same problem, since the earliest of them. */
function alertOf(
  strategies: readonly Strategy[],
  sinceOf: (strategy: Strategy) => string | null,
  { title, ...words }: Pick<Alert, 'id' | 'tone' | 'title' | 'text'>,
): Alert[] {
  if (strategies.length === 0) return []
  const since = strategies.flatMap((strategy) => sinceOf(strategy) ?? []).sort()[0]
  return [
    {
      ...words,
      title: `${title}: ${strategies.map(({ name }) => name).join(', ')}`,
      since,
      leads: STRATEGIES_LINK,
    },
  ]
}

function* ofSignIns({ at, signIns }: OperatorHealth): Generator<Alert> {
  const hourMs = 60 * MINUTE_MS
  const thisHour = Math.floor(Date.parse(at) / hourMs) * hourMs
  // The current hour and the one before, because the current hour may have just begun.
  const isRecent = (hour: string) => Date.parse(hour) >= thisHour - hourMs
  const sum = (hours: typeof signIns.hours) => hours.reduce((total, { count }) => total + count, 0)
  const recent = sum(signIns.hours.filter((hour) => isRecent(hour.at)))
  const usual = sum(signIns.hours.filter((hour) => !isRecent(hour.at))) / (7 * 24 - 2)
  if (recent >= MANY_FAILED && recent / 2 > usual * MANY_TIMES_USUAL)
    yield {
      id: 'sign-ins',
      tone: 'caution',
      title: 'Unusually many sign-ins fail',
      text: `${recent} in the last two hours, and about ${Math.round(usual)} an hour over the week. Somebody may be trying passwords: see the security lines of the log.`,
      leads: { href: '/operator/health#sign-ins', label: 'See them' },
    }
}

function* ofQueues({ at, waiting, decisionTimes }: OperatorOverview): Generator<Alert> {
  for (const { key, label, href, open, kind, things, done } of QUEUES) {
    const time = kind === null ? null : decisionTimes[kind]
    const { oldest } = waiting[key]
    if (oldest !== null && time !== null && isBeyondUsual(oldest, at, time))
      yield {
        id: `queue ${key}`,
        tone: 'caution',
        title: `Longer than usual: ${label.toLowerCase()}`,
        since: oldest,
        text: `${decisionWords(things, done, time)} Investors are told so.`,
        leads: { href, label: open },
      }
  }
}
