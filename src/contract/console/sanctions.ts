import * as z from 'zod/mini'
import { filter, isoTime, page } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import {
  assignedFilter,
  investorBrief,
  listEntry,
  queueOrder,
  reasonBody,
  stepsField,
  workFields,
} from './cases.ts'
import { SHORTEST_EXPLANATION } from './risk.ts'

const HIT_STATUSES = ['open', 'frozen', 'cleared'] as const

/** What may be a hit of a person on the sanctions list, with what compliance compares. */
export const sanctionsHit = z.object({
  _id: z.string(),
  investor: investorBrief,
  /** Frozen: confirmed. The account was frozen after it was found, openly or silently. */
  status: z.enum(HIT_STATUSES),
  /** When it was found. */
  createdAt: isoTime,
  /** The entries that may be meant, with the name or address that agrees. */
  entries: z.array(listEntry),
  country: z.string(),
  /** As the reviewer who approved the identity read them; null if none did. */
  documentName: z.nullable(z.string()),
  bornOn: z.nullable(z.string()),
  steps: stepsField,
  ...workFields,
})
export type SanctionsHit = z.output<typeof sanctionsHit>

/** Whether the date of birth of the person and of every entry is known. */
export function canCompareBirth({ bornOn, entries }: Pick<SanctionsHit, 'bornOn' | 'entries'>): boolean {
  return bornOn !== null && entries.every(({ born }) => born !== null)
}

export const listSanctionsHits = endpoint('GET', '/operator/sanctions', 'operator:sanctions.read', {
  summary:
    'Possible hits on the sanctions list, newest first, or oldest first with `order=oldest`. Until one is cleared, the person’s identity is not approved and nothing is paid to them',
  query: z.object({
    ...page,
    status: filter('status', HIT_STATUSES, 'status is open, frozen or cleared'),
    order: queueOrder,
    assigned: assignedFilter,
  }),
  answer: z.array(sanctionsHit),
})

export const clearSanctionsHit = endpoint(
  'POST',
  '/operator/sanctions/:id/clear',
  'operator:sanctions.decide',
  {
    summary: `Say why this person is not on the list. If the date of birth of the person or of an entry is not known, the reason has at least ${SHORTEST_EXPLANATION} characters. The hit opens again if one of its entries changes, or if a new entry may match`,
    /** `entries` is how many entries the caller compared: the screening may add more meanwhile, and then nothing is cleared. */
    body: z.extend(reasonBody, { entries: z.int().check(z.minimum(1)) }),
    answer: sanctionsHit,
    idempotent: true,
    refusals: ['already_decided', 'case_assigned', 'conflict'],
    audit: ['screening.cleared'],
  },
)
