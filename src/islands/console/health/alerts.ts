import { CHAIN_LABELS } from '../../../contract/console/coinWords.ts'
import type { OperatorHealth } from '../../../contract/console/health.ts'
import type { OperatorOverview } from '../../../contract/console/overview.ts'
import { getWorkKind, WORK_KIND_NAMES } from '../../../contract/console/work.ts'
import { formatNumber, sum } from '../../../contract/numbers.ts'
import { formatDuration } from '../../lib/DecisionTimes.tsx'
import { formatAge } from '../cases/age.ts'
import { computeCoverage } from './coverage.ts'
import { countFailures } from './signInHours.ts'
import { checkWords, describeCronJob } from './words.ts'

/** Something that needs an operator. `docs/runbook.md` lists the beginning of each title. */
export interface Alert {
  readonly id: string
  readonly tone: 'danger' | 'caution'
  readonly title: string
  readonly since?: string | undefined
  /** The facts, and what to do. */
  readonly text: string
  readonly leads?: { readonly href: string; readonly label: string }
  /** The action that the alert offers as a button. */
  readonly act?: 'retry mail' | 'retry blocks'
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
export function listAlerts(
  overview: OperatorOverview | undefined,
  health: OperatorHealth | undefined,
): Alert[] {
  const all = [
    ...(overview ? listBookAlerts(overview) : []),
    ...(health ? listHealthAlerts(health) : []),
    ...(overview ? listQueueAlerts(overview) : []),
  ]
  return [...all.filter(({ tone }) => tone === 'danger'), ...all.filter(({ tone }) => tone === 'caution')]
}

function* listBookAlerts(overview: OperatorOverview): Generator<Alert> {
  if (!overview.trialBalance.balanced)
    yield {
      id: 'books',
      tone: 'danger',
      title: 'The books do not balance',
      text: 'Make no decision about money until you know the cause. Read the findings of the self-checks, and follow “The books do not balance” in docs/runbook.md.',
    }
  const { differenceUsd, unpriced } = computeCoverage(overview)
  if (differenceUsd < 0 && unpriced.length === 0)
    yield {
      id: 'custody',
      tone: 'caution',
      title: 'Custody is worth less than liabilities',
      text: 'Measured at today’s prices. Compare custody with the networks and the bank before the next payout.',
    }
}

function listHealthAlerts(health: OperatorHealth): Alert[] {
  return [
    ...listPauseAlerts(health),
    ...listCronAlerts(health),
    ...listCheckAlerts(health),
    ...listMailAlerts(health),
    ...listBlockAlerts(health),
    ...listKeyAlerts(health),
    ...listPriceAlerts(health),
    ...listStrategyAlerts(health),
    ...listSignInAlerts(health),
  ]
}

function* listPauseAlerts({ payoutsPausedSince }: OperatorHealth): Generator<Alert> {
  if (payoutsPausedSince !== null)
    yield {
      id: 'paused',
      tone: 'danger',
      title: 'Payouts are paused',
      since: payoutsPausedSince,
      text: 'Nothing is paid until two administrators agree to resume.',
      leads: { href: '/operator/treasury', label: 'Treasury' },
    }
}

function* listCronAlerts({ at, cron }: OperatorHealth): Generator<Alert> {
  const late = cron.at === null ? null : Date.parse(at) - Date.parse(cron.at)
  if (late === null || late > CRON_LATE_MS)
    yield {
      id: 'cron',
      tone: 'danger',
      title:
        late === null
          ? 'The cron has never run'
          : `The cron has not run for ${formatDuration(Math.floor(late / MINUTE_MS))}`,
      text: 'Until it runs, no mail is sent, nothing is checked and prices are not updated. Check its trigger and its log.',
    }
  for (const { name, failedSince, error } of cron.work)
    if (failedSince !== null)
      yield {
        id: `work ${name}`,
        tone: 'danger',
        title: `${describeCronJob(name)} fails`,
        since: failedSince,
        text: `Error: ${error ?? 'unknown'}. The log has the whole message under the cron job “${name}”.`,
      }
}

function* listCheckAlerts({ at, checks, cron }: OperatorHealth): Generator<Alert> {
  for (const check of checks)
    if (!check.ok)
      yield {
        id: `check ${check.name}`,
        tone: 'danger',
        title: `A self-check found something wrong: ${checkWords(check.name)}`,
        text: `${check.finding ?? 'It gave no details'}. Move no money of the named accounts until you know the cause.`,
      }
  const schema = checks.find(({ name }) => name === 'schema')
  const isLate = schema !== undefined && Date.parse(at) - Date.parse(schema.at) > CHECK_LATE_MS
  if (isLate && cron.at !== null)
    yield {
      id: 'checks late',
      tone: 'caution',
      title: 'The self-checks have not run',
      since: schema.at,
      text: 'They run every ten minutes. Check that the cron runs, and read the error of its job “selfCheck”.',
    }
}

function describeWaitingMails(count: number): string {
  if (count === 0) return 'No mail is waiting yet.'
  return count === 1 ? 'One mail is waiting.' : `${count} mails are waiting.`
}

function* listMailAlerts({ at, mail }: OperatorHealth): Generator<Alert> {
  if (!mail.carried)
    yield {
      id: 'carrier',
      tone: 'danger',
      title: 'No mail carrier is set',
      text: `${describeWaitingMails(mail.waiting)} Set MAIL_FROM and a carrier. Waiting mails are sent once there is one.`,
    }
  const failing = sum(mail.failing.map(({ count }) => count))
  if (failing > 0)
    yield {
      id: 'mail failing',
      tone: 'caution',
      title: failing === 1 ? 'One mail could not be delivered' : `${failing} mails could not be delivered`,
      since: mail.failingSince ?? undefined,
      text: `${mail.failing.map(({ error, count }) => `${error} (${count})`).join(', ')}. Each is retried within six hours. Fix the cause, then retry them now.`,
      act: 'retry mail',
    }
  else if (mail.carried && mail.oldest !== null && Date.parse(at) - Date.parse(mail.oldest) > MAIL_LATE_MS)
    yield {
      id: 'mail late',
      tone: 'caution',
      title: 'Mails wait to be sent',
      since: mail.oldest,
      text: 'None failed. Either there are more mails than the cron can send, or the cron does not send them.',
    }
}

function* listBlockAlerts({ chains: { unsearched } }: OperatorHealth): Generator<Alert> {
  const [oldest] = unsearched
  if (oldest !== undefined)
    yield {
      id: 'blocks',
      tone: 'danger',
      title: 'Blocks could not be searched',
      since: oldest.since,
      text: `${unsearched.map(({ chain, height, fault }) => `${CHAIN_LABELS[chain]} ${height}: a server ${fault}`).join('. ')}. Payments in them are not credited. Each is tried again every ten minutes. If other servers fail too, follow “Blocks could not be searched” in docs/runbook.md.`,
      act: 'retry blocks',
    }
}

function* listKeyAlerts({ lostKeys }: OperatorHealth): Generator<Alert> {
  const [first] = lostKeys
  if (first === undefined) return
  const holders = [...new Set(lostKeys.map(({ holder }) => holder))]
  const chains = [...new Set(lostKeys.map(({ chain }) => CHAIN_LABELS[chain]))]
  yield {
    id: 'lost keys',
    tone: 'caution',
    title: 'Keys of wallets are with people who cannot sign',
    text: `${formatList(holders)}, on ${formatList(chains)}. They left, or are no treasurer with a second factor any more. Without enough other signatures no payout leaves. Assign the keys to somebody else.`,
    leads: { href: `/operator/wallets?watch=${encodeURIComponent(first.wallet)}`, label: 'Open the wallet' },
  }
}

function formatList(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(words)
}

function* listPriceAlerts({ at, market }: OperatorHealth): Generator<Alert> {
  const coins = market.find(({ name }) => name === 'coins')
  if (coins !== undefined && Date.parse(at) - Date.parse(coins.at) > PRICES_OLD_MS)
    yield {
      id: 'prices',
      tone: 'caution',
      title: 'The prices are old',
      since: coins.at,
      text: 'Investors get no quotes until there are new prices, and custody is valued at the old ones. Check that the provider answers.',
    }
}

type Strategy = OperatorHealth['strategies'][number]

const STRATEGIES_LINK = { href: '/operator/strategies', label: 'Strategies' }

function listStrategyAlerts({ strategies }: Pick<OperatorHealth, 'strategies'>): Alert[] {
  const late = strategies.filter(({ lateSince }) => lateSince !== null)
  const suspended = strategies.filter(({ status }) => status === 'suspended')
  const lacking = strategies.filter(
    ({ lateSince, lackingSince }) => lateSince === null && lackingSince !== null,
  )
  return [
    ...buildStrategyAlert(late, ({ lateSince }) => lateSince, {
      id: 'strategies late',
      tone: 'danger',
      title: 'Late strategies',
      text: late.some(({ lackingSince }) => lackingSince !== null)
        ? 'Daily bars are missing, so these strategies do not trade and investors’ orders wait. They continue automatically, day by day, when the bars arrive.'
        : 'A day’s step is not done, so investors’ orders wait. Check that the cron runs, and read the error of its job “strategies”.',
    }),
    ...buildStrategyAlert(suspended, ({ since }) => since, {
      id: 'strategies suspended',
      tone: 'caution',
      title: 'Suspended strategies',
      text:
        suspended.length === 1
          ? (suspended[0]?.reason ?? '')
          : 'They take no new money until two operators resume them.',
    }),
    ...buildStrategyAlert(lacking, ({ lackingSince }) => lackingSince, {
      id: 'strategies lacking',
      tone: 'caution',
      title: 'Strategies waiting for daily bars',
      text: 'Closed bars have not arrived yet. They are requested again automatically. The page of each strategy has the details.',
    }),
  ]
}

/** One alert for all strategies with the same problem, since the earliest of them. */
function buildStrategyAlert(
  strategies: readonly Strategy[],
  sinceOf: (strategy: Strategy) => string | null,
  { title, ...words }: Pick<Alert, 'id' | 'tone' | 'title' | 'text'>,
): Alert[] {
  if (strategies.length === 0) return []
  const since = strategies.flatMap((strategy) => sinceOf(strategy) ?? []).sort()[0]
  return [
    {
      ...words,
      title: `${title}: ${formatList(strategies.map(({ name }) => name))}`,
      since,
      leads: STRATEGIES_LINK,
    },
  ]
}

function* listSignInAlerts({ at, signIns }: OperatorHealth): Generator<Alert> {
  const hourMs = 60 * MINUTE_MS
  const thisHour = Math.floor(Date.parse(at) / hourMs) * hourMs
  // The current hour and the one before, because the current hour may have just begun.
  const isRecent = (hour: string) => Date.parse(hour) >= thisHour - hourMs
  const recent = countFailures(signIns.hours.filter((hour) => isRecent(hour.at)))
  const usual = countFailures(signIns.hours.filter((hour) => !isRecent(hour.at))) / (7 * 24 - 2)
  if (recent >= MANY_FAILED && recent / 2 > usual * MANY_TIMES_USUAL)
    yield {
      id: 'sign-ins',
      tone: 'caution',
      title: 'Unusually many failed sign-ins',
      text: `${recent} in the last two hours, and about ${Math.round(usual)} an hour over the week. Somebody may be guessing passwords. Check the security lines of the log.`,
      leads: { href: '/operator/health#sign-ins', label: 'See failed sign-ins' },
    }
}

function* listQueueAlerts({ at, waiting }: OperatorOverview): Generator<Alert> {
  const kinds = WORK_KIND_NAMES.filter((kind) => waiting[kind].overdue > 0)
  const [oldest] = kinds.toSorted((a, b) => (waiting[a].oldest ?? '').localeCompare(waiting[b].oldest ?? ''))
  if (oldest === undefined) return
  const { one, href, title } = getWorkKind(oldest)
  const count = sum(kinds.map((kind) => waiting[kind].overdue))
  const age = `${one} that waits for ${formatAge(waiting[oldest].oldest ?? at, Date.parse(at))}`
  yield {
    id: 'overdue',
    tone: 'danger',
    title:
      count === 1
        ? `One case is overdue: ${age}`
        : `${formatNumber(count)} cases are overdue, the oldest ${age}`,
    text: `${kinds.map((kind) => `${getWorkKind(kind).title} (${formatNumber(waiting[kind].overdue)})`).join(', ')}. The targets are in the settings, under “Targets”.`,
    leads: { href, label: `Open ${title.toLowerCase()}` },
  }
}
