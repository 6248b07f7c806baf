import * as z from 'zod/mini'
import { filter, isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { FACTOR_REFUSALS, factorFields } from '../identity/factors.ts'
import {
  assignedFilter,
  filtersInOrder,
  investorBrief,
  personFilters,
  queuePage,
  reasonBody,
  stepsField,
  waitsFilter,
  workFields,
} from './cases.ts'
import { proposal } from './proposals.ts'
import { riskField, riskQuery, riskReasonField } from './risk.ts'

/** `filed` needs a reviewer, `proposed` a second one, `approved` waits for the end of the delay. */
export const RECOVERY_STATUSES = [
  'filed',
  'proposed',
  'approved',
  'completed',
  'stopped',
  'rejected',
] as const

export const factorRecovery = z.object({
  _id: z.string(),
  investor: investorBrief,
  /** The phone number in the investor's profile, or an empty text. */
  phone: z.string(),
  status: z.enum(RECOVERY_STATUSES),
  /** When the owner entered the mailed code. */
  createdAt: isoTime,
  /** The current second factors of the account. */
  methods: z.array(z.enum(['passkey', 'totp'])),
  /** The approved identity document, for comparison. */
  document: z.nullable(z.object({ _id: z.string(), ref: z.string() })),
  /** The pending or approved proposal. */
  proposal: z.nullable(z.object({ _id: z.string(), proposedBy: z.string() })),
  /** When the second factors are removed, 72 hours after the decision. */
  effectiveAt: z.nullable(isoTime),
  endedAt: z.nullable(isoTime),
  ...workFields,
  /** With what each reviewer checked. */
  steps: stepsField,
  risk: riskField,
})
export type FactorRecovery = z.output<typeof factorRecovery>

export const listFactorRecoveries = endpoint('GET', '/operator/factor-recoveries', 'operator:kyc.read', {
  summary:
    'Investors’ requests to remove a lost second factor, newest first, or oldest first with `order=oldest`. `status=open` selects those that need a first reviewer, `proposed` those that need the second one, `undecided` both, `approved` those that take effect at the end of the delay. `query` is a part of the investor’s name or e-mail address. `format=csv` returns all matching ones as a file',
  query: z
    .object({
      ...queuePage,
      ...personFilters,
      status: filter(
        'status',
        ['open', 'proposed', 'undecided', 'approved', 'ended'],
        'status is open, proposed, undecided, approved or ended',
      ),
      ...riskQuery,
      assigned: assignedFilter,
      waits: waitsFilter,
    })
    .check(filtersInOrder),
  answer: z.array(factorRecovery),
  findsPeopleBy: 'query',
  audit: ['recoveries.exported'],
})

export const proposeFactorRecovery = endpoint(
  'POST',
  '/operator/factor-recoveries/:id/propose',
  'operator:kyc.decide',
  {
    summary:
      'Propose to remove a lost second factor after an identity check. Another reviewer checks again and decides. Both have opened the approved identity document since the request was filed, if there is one',
    status: 202,
    body: z.extend(reasonBody, { riskReason: riskReasonField, ...factorFields }),
    answer: proposal,
    idempotent: true,
    asksFactor: true,
    refusals: [
      'conflict',
      'already_decided',
      'reason_required',
      'case_assigned',
      'document_not_opened',
      ...FACTOR_REFUSALS,
    ],
    audit: ['proposal.created', 'risk.accepted'],
  },
)

export const rejectFactorRecovery = endpoint(
  'POST',
  '/operator/factor-recoveries/:id/reject',
  'operator:kyc.decide',
  {
    summary:
      'Reject the removal of a lost second factor at any time before it takes effect, with a reason for the investor',
    body: reasonBody,
    answer: factorRecovery,
    idempotent: true,
    refusals: ['already_decided', 'case_assigned'],
    audit: ['factor_recovery.rejected'],
  },
)
