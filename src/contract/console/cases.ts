import * as z from 'zod/mini'
import { filter, formatQuery, isoTime, page, period, refuseValue } from '../common.ts'
import { optionalText, parseCents, requiredLines } from '../fields.ts'
import { isolate } from '../isolate.ts'
import { COINS } from '../money/coins.ts'
import { statusFilter } from '../money/transactions.ts'
import { riskQuery } from './risk.ts'

export const REASON = 'Please give a reason'

/** For decisions that need a documented reason, which only operators read. */
export const reasonBody = z.object({ reason: requiredLines(REASON, 500) })

/** What investors read in place of a reason that is not on the settings' list. */
export const UNLISTED_REASON = 'Please write to us if you want to know why.'

/** A note that only operators read: it is in no mail, no timeline and not in the investor's download. */
export const internalNoteField = optionalText(500)

/** For decisions that investors are told. */
export const toldBody = z.object({
  /** The message to the investors: a reason from the settings' list. Any other is kept as an internal note, and `UNLISTED_REASON` is told. */
  reason: requiredLines(REASON, 500),
  internalNote: internalNoteField,
})

/** For decisions without fields. Any fields sent are ignored. */
export const noBody = z.optional(z.object({}))

export const investorBrief = z.object({ _id: z.string(), name: z.string(), email: z.string() })

/** The operator who holds a key of a watch-only wallet. */
export const keyHolder = z.object({
  _id: z.string(),
  name: z.string(),
  /** False once they are disabled or no treasurer: the key needs another person. */
  canSign: z.boolean(),
})
export type KeyHolder = z.output<typeof keyHolder>

/** The steps of a case, in the words that “by” and a name follow. */
export const CASE_STEPS = {
  filed: 'Filed',
  proposed: 'Proposed',
  approved: 'Approved',
  returned: 'Approval undone',
  credited: 'Credited',
  paid: 'Paid',
  rejected: 'Rejected',
  found: 'Found',
  cleared: 'Cleared',
  accepted: 'High risk accepted',
  cancelled: 'Cancelled',
  reversal_proposed: 'Reversal proposed',
  reversed: 'Reversed',
  built: 'Built',
  signed: 'Signed',
  released: 'Released',
  retired: 'Retired',
  handled: 'Handled',
  stopped: 'Stopped',
  completed: 'Completed',
  created: 'Created',
  revoked: 'Revoked',
  disabled: 'Disabled',
} as const

export const stepName = z.enum(Object.keys(CASE_STEPS) as (keyof typeof CASE_STEPS)[])

/** One step of a case: who took it, and when. */
const caseStep = z.object({
  step: stepName,
  at: isoTime,
  /** Null if it was not recorded. */
  by: z.nullable(z.object({ _id: z.string(), name: z.string() })),
  note: z.optional(z.string()),
})

export type CaseStep = z.output<typeof caseStep>

/** All steps of a case, oldest first, in every row that operators decide. Two operators are both named. */
export const stepsField = z.array(caseStep)

/** “Credited by Olga Bello”. */
export function describeStep({ step, by }: Pick<CaseStep, 'step' | 'by'>): string {
  return `${CASE_STEPS[step]} by ${by === null ? 'nobody recorded' : isolate(by.name)}`
}

/** Why one operator cannot decide alone. */
export const SECOND_OPERATOR_REASONS = [
  'limit',
  'daily_ceiling',
  'credited',
  'identified',
  'no_price',
  'no_servers',
  'proved',
  'risk',
] as const
export type SecondOperatorReason = (typeof SECOND_OPERATOR_REASONS)[number]

/** The calling operator's allowance for decisions without a second operator. Amounts in USD. */
export const soloAllowance = z.object({
  /** For one investor within a day; above it two operators decide. */
  limit: z.number(),
  /** The amount that the caller decided alone for this investor in the last 24 hours. */
  used: z.number(),
  /** The caller's daily ceiling for all investors together. */
  day: z.object({ limit: z.number(), used: z.number() }),
  /** Whether this decision needs a second operator. */
  needsTwo: z.boolean(),
  reasons: z.array(z.enum(SECOND_OPERATOR_REASONS)),
})

export type SoloAllowance = z.output<typeof soloAllowance>

/** An entry of a sanctions list, with the name or address that agrees. */
export const listEntry = z.object({
  uid: z.string(),
  name: z.string(),
  programs: z.string(),
  born: z.nullable(z.string()),
  /** Of nationality, citizenship or address, if the list has one. */
  country: z.optional(z.string()),
})
export type ListEntry = z.output<typeof listEntry>

/** The result of a comparison with a sanctions list. */
export const screening = z.object({
  at: isoTime,
  list: z.string(),
  /** The date that the list gives itself. */
  listDate: z.nullable(z.string()),
  /** SHA-256 of the list's file. */
  listHash: z.string(),
  /** The address that was compared besides the names; null if none is known. */
  address: z.nullable(z.string()),
  hits: z.number(),
  /** The first entries that may be meant. */
  matches: z.array(listEntry),
  /** If the person may be on the list: the newest hit, and who cleared it when and why. Null while it is open. */
  hit: z.nullable(
    z.object({
      _id: z.string(),
      cleared: z.nullable(z.object({ at: isoTime, by: z.string(), reason: z.string() })),
    }),
  ),
})
export type ScreeningRecord = z.output<typeof screening>

/** In a case: its newest comparison. Null or missing if it was not screened. */
export const screeningField = z.optional(z.nullable(screening))

/** How long an assignment lasts if no operator decides the case or gives it back. */
export const ASSIGNMENT_HOURS = 2

/** For this long, other operators take an assigned case over before they decide it. */
export const LOCKED_MINUTES = 60

/** The operator who works on a case. */
export const assignment = z.object({
  /** That operator's id. */
  _id: z.string(),
  name: z.string(),
  since: isoTime,
  /** When it expires. */
  until: isoTime,
})

export type Assignment = z.output<typeof assignment>

/** A question to the investor. The case is on hold until the investor answers. */
export const hold = z.object({
  since: isoTime,
  /** The operator who asked. */
  by: z.string(),
  /** The thread with the question. */
  thread: z.string(),
  /** When the investor answered; null while the case is on hold. */
  answeredAt: z.nullable(isoTime),
})

export type Hold = z.output<typeof hold>

/** The assignment, question and due time of an open case, in a queue's row. Null or missing if the case is not open. */
export const workFields = {
  /** The operator whom the open case is assigned to. */
  assigned: z.optional(z.nullable(assignment)),
  /** The last question to the investor. */
  hold: z.optional(z.nullable(hold)),
  /** Since when an open case waits for its present step, without its time on hold; null while it is on hold. */
  waitsSince: z.optional(z.nullable(isoTime)),
  /** When an open case should be done; null while it is on hold. */
  dueAt: z.optional(z.nullable(isoTime)),
}

/** In a queue's query: cases assigned to the caller, or cases without an assignment. */
export const assignedFilter = filter('assigned', ['me', 'nobody'], 'assigned is me or nobody')

/** The order of a queue; newest first if missing. */
export const queueOrder = filter('order', ['newest', 'oldest'], 'order is newest or oldest')

/** The most cases that are exported by their ids. */
export const MOST_SELECTED = 100

/** In a queue's query: only the cases with these ids, for an export of selected rows. */
const selectedIds = z.pipe(
  z.optional(
    z
      .string()
      .check(
        z.regex(
          new RegExp(`^(?:[\\w-]{1,40}(?:,[\\w-]{1,40}){0,${MOST_SELECTED - 1}})?$`),
          `ids are the ids of at most ${MOST_SELECTED} cases, separated by commas`,
        ),
      ),
  ),
  z.transform((ids) => (ids ? ids.split(',') : undefined)),
)

/** Query of every queue: pagination, search and export. */
export const queuePage = {
  ...page,
  query: optionalText(120),
  format: formatQuery,
  ids: selectedIds,
  order: queueOrder,
}

/** In a queue's query: open cases that wait for an operator, for the investor's answer, or for the investor's payment. */
export const waitsFilter = filter(
  'waits',
  ['operator', 'investor', 'payment'],
  'waits is operator, investor or payment',
)

export type Waits = z.output<typeof waitsFilter>

function amountFilter(name: string) {
  const problem = `${name} is an amount in USD, like 250 or 99.95`
  return z.pipe(
    z.optional(z.string()),
    z.transform((value, context) => (value ? parseCents(value, context, problem) : undefined)),
  )
}

/** The filters of a queue whose rows have a person. */
export const personFilters = {
  ...period,
  /** The investor's country as its two-letter code. */
  country: z.optional(
    z.string().check(z.regex(/^(?:[A-Z]{2})?$/, 'country is a code of two letters, like CH')),
  ),
  /** The investor's id. */
  person: z.optional(z.string().check(z.regex(/^[\w-]{0,64}$/, 'person is the id of an investor'))),
}

/** The filters of a list whose rows have an amount in a coin. Amounts in USD become cents. */
export const amountFilters = {
  ...period,
  amountFrom: amountFilter('amountFrom'),
  amountTo: amountFilter('amountTo'),
  coin: filter('coin', COINS),
}

/** All filters of lists, by their names in a query. */
export const caseFilters = { ...personFilters, ...amountFilters }

export type CaseFilters = { [Name in keyof typeof caseFilters]?: z.output<(typeof caseFilters)[Name]> }

/** Refuses a period or a range of amounts that ends before it begins. */
export const filtersInOrder = z.superRefine<Pick<CaseFilters, 'from' | 'to' | 'amountFrom' | 'amountTo'>>(
  ({ from = 0, to = from, amountFrom = 0, amountTo = amountFrom }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (to < from) refuse('to', 'The last day comes before the first')
    if (amountTo < amountFrom) refuse('amountTo', 'The highest amount is below the lowest')
  },
)

/** The query of a queue of requests. */
export const statusList = z.object({
  ...queuePage,
  ...caseFilters,
  status: statusFilter,
  assigned: assignedFilter,
  ...riskQuery,
  waits: waitsFilter,
})

const DECIMAL = /^\d{1,15}(?:\.\d{1,18})?$/

function decimalText(error: string) {
  return z.pipe(
    z.optional(z.nullable(z.union([z.string(), z.number()], { error }))),
    z.transform((value) =>
      value === undefined || value === null || value === '' ? undefined : String(value).trim(),
    ),
  )
}

/** The quantity of a coin that arrived or was sent: a positive decimal, exact as text, down to 10⁻¹⁸. */
export function quantityField(what: 'arrived' | 'was sent') {
  return z.pipe(
    decimalText('Please give the quantity as a number'),
    z.transform((text, context) =>
      text === undefined || (DECIMAL.test(text) && /[1-9]/.test(text))
        ? text
        : refuseValue(context, `Please give the quantity that ${what} as a number above zero`),
    ),
  )
}

/** A network's fee: a decimal, exact as text. Missing and zero mean that none was paid. */
export const feeField = z.pipe(
  decimalText('Please give the fee as a number'),
  z.transform((text, context) => {
    if (text === undefined || /^0*(?:\.0*)?$/.test(text)) return undefined
    return DECIMAL.test(text) ? text : refuseValue(context, 'Please give the fee as a number')
  }),
)
