import * as z from 'zod/mini'
import { getReaderTimeZone } from '../../../contract/dates.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { codeField, passkeyAnswerField } from '../../../contract/fields.ts'
import { RHYTHMS, type Rhythm, type Schedule } from '../../../contract/investing/planDates.ts'
import { changePlan, newPlan, type Plan, type PlanKind } from '../../../contract/investing/plans.ts'
import { isolate } from '../../../contract/isolate.ts'
import { NETWORK_LABELS } from '../../../contract/money/coins.ts'
import type { SavedAddress } from '../../../contract/money/destinations.ts'
import type { Option } from '../../../design/SelectField.tsx'
import type { FieldValue } from '../../lib/formControls.ts'
import { isLastOfMonth } from './words.ts'

const createTextField = () => z.optional(z.string())

const fields = {
  amount: createTextField(),
  strategy: createTextField(),
  address: createTextField(),
  redeemFrom: createTextField(),
  rhythm: createTextField(),
  starts: createTextField(),
  /** On the last day of each month, where the first date is one. */
  last: z.optional(z.boolean()),
  understood: z.optional(z.boolean()),
  code: codeField(),
  passkey: passkeyAnswerField(),
}

const planFields = z.object(fields)
type PlanInput = z.input<typeof planFields>

/** The fields of a new plan as typed, checked by the contract. Investing takes the confirmation that it may be lost. */
function buildNewPlanForm(kind: PlanKind) {
  return z.object(fields).check(({ value, issues }) => {
    const refuse = (name: PropertyKey, message: string) =>
      issues.push({ code: 'custom', message, path: [name], input: value })
    for (const { path, message } of newPlan.safeParse(buildNewPlan(kind, value)).error?.issues ?? [])
      refuse(path.at(-1) ?? 'amount', message)
    // The contract asks for these only once all else is right.
    if (kind !== 'withdraw' && !value.strategy) refuse('strategy', 'Please choose a strategy')
    if (kind === 'withdraw' && !value.address) refuse('address', 'Please choose a saved address')
    if (kind !== 'withdraw' && value.understood !== true)
      refuse('understood', 'Please confirm that you know what could be lost')
  })
}

export const NEW_PLAN_FORMS = {
  invest: buildNewPlanForm('invest'),
  invest_above: buildNewPlanForm('invest_above'),
  withdraw: buildNewPlanForm('withdraw'),
} as const satisfies Record<PlanKind, unknown>

export function buildNewPlan(kind: PlanKind, values: PlanInput): z.input<typeof newPlan> {
  const { amount = '', strategy, address, redeemFrom, code, passkey } = values
  return {
    ...{ kind, amount, schedule: readSchedule(values) },
    ...(kind === 'withdraw' ? { address, redeemFrom } : { strategy }),
    ...{ code, passkey },
  }
}

/** The fields that differ from the plan. */
export function buildPlanChange(plan: Plan, values: PlanInput): InputOf<typeof changePlan> {
  const { amount, address, code, passkey } = values
  const schedule = readSchedule(values)
  const isMoved = (['rhythm', 'starts', 'day'] as const).some((name) => schedule[name] !== plan[name])
  return {
    ...{ amount, code, passkey },
    ...(plan.kind === 'withdraw' && address && { address }),
    ...(isMoved && { schedule: { ...schedule, zone: plan.zone } }),
  }
}

export function buildChangeForm(plan: Plan) {
  return z.object(fields).check(({ value, issues }) => {
    for (const issue of changePlan.body?.safeParse(buildPlanChange(plan, value)).error?.issues ?? [])
      issues.push({ code: 'custom', message: issue.message, path: issue.path.slice(-1), input: value })
  })
}

export const AMOUNT_LABELS: Record<PlanKind, string> = {
  invest: 'Amount in USD',
  invest_above: 'Amount to keep in USD',
  withdraw: 'Amount in USD',
}

export function toAddressOptions(addresses: readonly SavedAddress[]): Option[] {
  return addresses.map(({ _id, label, network }) => ({
    value: _id,
    label: `${isolate(label)} (${NETWORK_LABELS[network]})`,
  }))
}

type TypedSchedule = Readonly<Record<'rhythm' | 'starts' | 'last', FieldValue>>

/** The schedule as typed, in the reader's time zone. */
export function readSchedule({ rhythm, starts, last }: Partial<TypedSchedule>): Schedule {
  const day = String(starts ?? '')
  const isLast = last === true && isLastOfMonth(day)
  return {
    rhythm: RHYTHMS.find((name) => name === rhythm) ?? DEFAULT_RHYTHM,
    starts: day,
    day: isLast ? 31 : Number(day.slice(8)),
    zone: getReaderTimeZone(),
  }
}

const DEFAULT_RHYTHM: Rhythm = 'monthly'

/** The first day of next month. */
export function getDefaultStart(now = new Date()): string {
  return new Date(Date.UTC(now.getFullYear(), now.getMonth() + 1, 1)).toISOString().slice(0, 10)
}

/** The server nests the schedule's fields. */
export function listNestedProblems(problems: Readonly<Record<string, string>> = {}): [string, string][] {
  return Object.entries(problems).map(([name, message]) => {
    const field = name.replace('schedule.', '')
    return [field === 'zone' || field === 'day' ? 'starts' : field, message]
  })
}
