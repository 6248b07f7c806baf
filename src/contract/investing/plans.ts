import * as z from 'zod/mini'
import { choice, isoTime, message, pageQuery, refuseValue } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import {
  amountField,
  codeField,
  optionalAmountField,
  optionalDay,
  optionalText,
  passkeyAnswerField,
} from '../fields.ts'
import { formatUsd } from '../money.ts'
import { isTimeZone } from '../timeZones.ts'
import { isStartInStep, RHYTHMS } from './planDates.ts'

/**
 * `invest` invests the amount, `invest_above` keeps the amount and invests what is available above it, `withdraw` pays the amount
 * out to a saved address.
 */
export const PLAN_KINDS = ['invest', 'invest_above', 'withdraw'] as const
export type PlanKind = (typeof PLAN_KINDS)[number]
export const PLAN_STATUSES = ['active', 'paused', 'ended'] as const
/** `failed` could not run; `missed` was too late to run. */
export const RUN_STATUSES = ['announced', 'done', 'skipped', 'failed', 'missed'] as const

/** The most plans of one investor that are not ended. The database enforces it too. */
export const MAX_PLANS = 20

/** One date of a plan, once it is announced or skipped. Amounts in USD. */
export const planRun = z.object({
  /** The owner's date, YYYY-MM-DD, and the moment at which it is due. */
  on: z.string(),
  at: isoTime,
  status: z.enum(RUN_STATUSES),
  /** The most that it moves; null if it was skipped before it was announced. */
  announced: z.nullable(z.number()),
  announcedAt: z.nullable(isoTime),
  decidedAt: z.nullable(isoTime),
  /** The order or the withdrawal that it filed, and its amount; null while it redeems. */
  ref: z.nullable(z.string()),
  amount: z.nullable(z.number()),
  /** Of a date that redeemed first, until its withdrawal is filed: `stayed` if the proceeds stayed available in the account. */
  redemption: z.nullable(z.enum(['pending', 'stayed', 'cancelled'])),
  /** Why it moved nothing, in a sentence. */
  reason: z.nullable(z.string()),
})
export type PlanRun = z.output<typeof planRun>

const row = {
  _id: z.string(),
  kind: z.enum(PLAN_KINDS),
  /** USD to invest, to keep, or to pay out. */
  amount: z.number(),
  /** The strategy's slug and name; null for a withdrawal. */
  strategy: z.nullable(z.string()),
  name: z.nullable(z.string()),
  /** The destination of a withdrawal, until the plan ends. */
  destination: z.nullable(z.string()),
  /** The strategy from which a withdrawal redeems what is missing, if any: its slug and name. */
  redeemFrom: z.nullable(z.string()),
  redeemFromName: z.nullable(z.string()),
  rhythm: z.enum(RHYTHMS),
  starts: z.string(),
  day: z.number(),
  zone: z.string(),
  status: z.enum(PLAN_STATUSES),
  /** Why it is paused or ended, in a sentence; null if its owner did it. */
  reason: z.nullable(z.string()),
  createdAt: isoTime,
  /** The announced run, which can be skipped. */
  announced: z.nullable(planRun),
  /** The next three dates after it; none unless the plan is active. */
  next: z.array(z.object({ on: z.string(), at: isoTime })),
}

export const plan = z.object(row)
export type Plan = z.output<typeof plan>

export const planDetail = z.object({
  ...row,
  /** The latest 50 dates, newest first. */
  runs: z.array(planRun),
})
export type PlanDetail = z.output<typeof planDetail>

const planSaved = z.object({ msg: z.string(), plan })
export type PlanSaved = z.output<typeof planSaved>

/** What one date of a plan does, for the preview and for mails. */
export function describePlan(
  { kind, amount, redeemFromName }: Pick<Plan, 'kind' | 'amount' | 'redeemFromName'>,
  target: string,
): string {
  const usd = formatUsd(amount)
  if (kind === 'invest') return `Invest ${usd} in ${target}`
  if (kind === 'invest_above') return `Keep ${usd} and invest the rest in ${target}`
  const source = redeemFromName === null ? '' : `, redeeming what is missing from ${redeemFromName}`
  return `Withdraw ${usd} to ${target}${source}`
}

const startDay = z.pipe(
  optionalDay('Please give the first date as YYYY-MM-DD'),
  z.transform((day, context) =>
    day !== undefined && /^20\d\d-/.test(day) ? day : refuseValue(context, 'Please choose the first date'),
  ),
)

const DAY_WRONG = 'Please give a day of the month from 1 to 31'
/** The day of the month; by default that of the first date. Only the 29th to 31st differ from it, in a shorter month. */
const monthDay = z.pipe(
  z.optional(z.nullable(z.union([z.string(), z.number()], { error: DAY_WRONG }))),
  z.transform((value, context) => {
    if (value === undefined || value === null || value === '') return undefined
    return /^(?:[1-9]|[12]\d|3[01])$/.test(String(value)) ? Number(value) : refuseValue(context, DAY_WRONG)
  }),
)

/** The fields of `Schedule`, without a default for the time zone: only the browser knows it. */
export const scheduleFields = z.pipe(
  z.object(
    {
      rhythm: choice(RHYTHMS, 'Please choose how often'),
      starts: startDay,
      day: monthDay,
      zone: z
        .string({ error: 'Please give your time zone' })
        .check(z.refine(isTimeZone, 'This is not a time zone that we know')),
    },
    { error: 'Please say when the plan is due' },
  ),
  z.transform(({ day: given, ...schedule }, context) => {
    const day = given ?? Number(schedule.starts.slice(8))
    if (isStartInStep({ ...schedule, day })) return { ...schedule, day }
    context.issues.push({
      code: 'custom',
      message: 'The first date is not on the day of the month that you chose',
      path: ['starts'],
      input: context.value,
    })
    return z.NEVER
  }),
)

/** The proof of a plan that pays out, bound to its destination, amount and schedule. */
const proof = { code: codeField(), passkey: passkeyAnswerField() }
const PROOF_REFUSALS = [
  'destination_locked',
  'step_up_required',
  'invalid_code',
  'too_many_codes',
  'invalid_passkey',
] as const
const LIMIT = { name: 'plans', per: 'account', max: 300, windowSeconds: 3600 } as const

export const newPlan = z
  .object({
    kind: choice(PLAN_KINDS, 'Please choose what the plan does'),
    amount: amountField('Please input the amount in USD'),
    /** The slug, for a plan that invests. */
    strategy: optionalText(60),
    /** The `_id` of a saved address, for a plan that withdraws. */
    address: optionalText(60),
    /**
     * The slug of a strategy, for a plan that withdraws: a date redeems from it what is missing, and withdraws after that. It cannot be
     * changed later.
     */
    redeemFrom: optionalText(60),
    schedule: scheduleFields,
    ...proof,
  })
  .check(
    z.superRefine(({ kind, strategy, address }, context) => {
      if (kind !== 'withdraw' && strategy === undefined)
        context.addIssue({ code: 'custom', message: 'Please choose a strategy', path: ['strategy'] })
      if (kind === 'withdraw' && address === undefined)
        context.addIssue({ code: 'custom', message: 'Please choose a saved address', path: ['address'] })
    }),
  )

export const listPlans = endpoint('GET', '/plans', 'signed-in', {
  summary: 'Your recurring plans, newest first',
  query: pageQuery,
  answer: z.array(plan),
})

export const getPlan = endpoint('GET', '/plans/:id', 'signed-in', {
  summary: 'One of your recurring plans, with its latest dates and what each did',
  answer: planDetail,
  refusals: ['not_found'],
})

export const createPlan = endpoint('POST', '/plans', 'signed-in', {
  summary:
    'Make a recurring plan that invests or withdraws on its dates, at 9:00 in its time zone. Each date is announced at least 24 hours before and can be skipped until then. A plan that withdraws takes the proof of a withdrawal',
  status: 201,
  body: newPlan,
  answer: planSaved,
  idempotent: true,
  requires: ['unfrozen', 'kyc'],
  limit: LIMIT,
  refusals: ['simulated_market', 'paper_trading', 'strategy_suspended', 'too_many_open', ...PROOF_REFUSALS],
})

export const changePlan = endpoint('PATCH', '/plans/:id', 'signed-in', {
  summary:
    'Change the amount, the saved address or the schedule of a recurring plan. A date that is already announced moves at most its announced amount; another address or schedule cancels it. A plan that withdraws takes the proof of a withdrawal',
  body: z.object({
    amount: optionalAmountField(
      'Please input the amount in USD',
      'Please give an amount in USD above zero, with at most two decimals, like 1500.50',
    ),
    address: optionalText(60),
    schedule: z.optional(z.nullable(scheduleFields)),
    ...proof,
  }),
  answer: planSaved,
  requires: ['unfrozen', 'kyc'],
  limit: LIMIT,
  refusals: ['already_decided', 'strategy_suspended', 'simulated_market', 'paper_trading', ...PROOF_REFUSALS],
})

export const pausePlan = endpoint('POST', '/plans/:id/pause', 'signed-in', {
  summary: 'Pause a recurring plan. An announced date is cancelled',
  answer: message,
  limit: LIMIT,
  refusals: ['already_decided'],
})

export const resumePlan = endpoint('POST', '/plans/:id/resume', 'signed-in', {
  summary:
    'Resume a paused recurring plan with its next date. Dates that passed meanwhile are left out. A plan that withdraws takes the proof of a withdrawal',
  body: z.object(proof),
  answer: planSaved,
  requires: ['unfrozen', 'kyc'],
  limit: LIMIT,
  refusals: ['already_decided', 'strategy_suspended', 'simulated_market', 'paper_trading', ...PROOF_REFUSALS],
})

export const skipPlan = endpoint('POST', '/plans/:id/skip', 'signed-in', {
  summary: 'Skip the next date of a recurring plan once, also if it is announced',
  body: z.object({
    /** The date to skip, as the caller saw it: a repeated call must not skip another one. */
    on: z.pipe(
      optionalDay('Please give the date as YYYY-MM-DD'),
      z.transform((day, context) => day ?? refuseValue(context, 'Please give the date to skip')),
    ),
  }),
  answer: message,
  limit: LIMIT,
  refusals: ['already_decided'],
})

export const endPlan = endpoint('POST', '/plans/:id/end', 'signed-in', {
  summary:
    'End a recurring plan for good. An announced date is cancelled; orders and withdrawals that it filed stay',
  answer: message,
  limit: LIMIT,
  refusals: ['already_decided'],
})
