import { mailDateText } from '../../../src/contract/dates.ts'
import type { PlanKind } from '../../../src/contract/investing/plans.ts'
import { formatCents } from '../../../src/contract/money.ts'
import type { ActorCall } from '../../http/call.ts'
import { buildSecurityMail } from '../../identity/credentials/lockToken.ts'
import type { Env } from '../../lib/env.ts'
import { buildLink, composeNews } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { describeReason, describeRow, type findDateAfter, type PlanReason, type PlanRow } from './plan.ts'

/** The owner of a plan, and the plan. */
type OwnedPlan = Pick<PlanRow, 'kind' | 'amount' | 'strategy' | 'destination' | 'redeemFrom' | 'rhythm'> & {
  readonly email: string
  readonly name: string
}

const link = (env: Env) => ({ label: 'Your recurring plans', href: buildLink(env, '/dashboard/plans') })

const formatDate = (on: string) => mailDateText(Date.parse(on), 'date')

/** Tells the owner about a plan that was made, changed or resumed, because an intruder could have done it. */
export function buildPlanMail(
  { env, actor, nowMs }: ActorCall,
  plan: Omit<PlanRow, 'seq'>,
  what: 'made' | 'changed' | 'resumed',
): Promise<Mail> {
  return buildSecurityMail(env, actor, nowMs, `Your recurring plan was ${what}`, [
    `${describeRow(plan)}, ${plan.rhythm}. The next date is ${formatDate(plan.nextOn)}.`,
    'We announce each date at least 24 hours before. You can skip it until then.',
    link(env),
  ])
}

/** Announces a date and the most that it moves. */
export function buildAnnouncement(
  env: Env,
  plan: OwnedPlan,
  on: string,
  cents: number,
  earliestMs: number,
): Mail {
  const day = formatDate(on)
  return composeNews(plan.email, `Your recurring plan runs on ${day}`, plan.name, [
    `${describeRow(plan)}. On this date we ${describeAct(plan.kind)} at most ${formatCents(cents)}, not before ${mailDateText(earliestMs)}.`,
    'It can become less than that, but not more. You can skip this date until then.',
    link(env),
  ])
}

function describeAct(kind: PlanKind): string {
  return kind === 'withdraw' ? 'withdraw' : 'invest'
}

/** Says what a date filed. */
export function buildRunMail(env: Env, plan: OwnedPlan, { action, ref, cents }: RunOutcome): Mail {
  const { what, next } = FILED_WORDS[action]
  return composeNews(plan.email, `Your recurring plan filed ${ref}`, plan.name, [
    `${describeRow(plan)}. We filed the ${what} ${ref} of ${formatCents(cents)}.`,
    next,
    link(env),
  ])
}

interface RunOutcome {
  readonly action: keyof typeof FILED_WORDS
  readonly ref: string
  readonly cents: number
}

const UNTIL_PRICED = 'You can cancel it until it is priced, at the next 00:00 UTC.'
const FILED_WORDS = {
  'allocation.requested': { what: 'order to invest', next: UNTIL_PRICED },
  'redemption.requested': {
    what: 'redemption',
    next: `${UNTIL_PRICED} Then we request the withdrawal. It becomes smaller if the price falls until then, and never larger.`,
  },
  'withdrawal.requested': {
    what: 'withdrawal',
    next: 'It awaits approval. You can cancel it until it is approved.',
  },
} as const

/** Says that a date moved nothing, why, and whether the plan is paused. */
export function buildNotRunMail(
  env: Env,
  plan: OwnedPlan & Parameters<typeof findDateAfter>[0],
  on: string,
  reason: PlanReason,
  isPaused: boolean,
): Mail {
  const subject = `Your recurring plan did not run on ${formatDate(on)}`
  return composeNews(plan.email, subject, plan.name, [
    `${describeRow(plan)}. On ${formatDate(on)} it moved no money.`,
    describeReason(reason) ?? '',
    isPaused
      ? 'The plan is paused. Resume it once this is settled.'
      : 'The plan goes on with its next date. You can also act by hand.',
    link(env),
  ])
}
