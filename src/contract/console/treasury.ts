import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { reasonBody } from './cases.ts'

const colleague = z.object({ _id: z.string(), name: z.string() })

/** A pause of all payouts. Null while payouts go on. */
const payoutPause = z.nullable(z.object({ since: isoTime, by: colleague, reason: z.string() }))

export const operatorTreasury = z.object({ pause: payoutPause })
export type OperatorTreasury = z.output<typeof operatorTreasury>

export const getTreasury = endpoint('GET', '/operator/treasury', 'operator:treasury.read', {
  summary: 'Whether payouts are paused, since when, by whom and why',
  answer: operatorTreasury,
})

export const pausePayouts = endpoint('POST', '/operator/treasury/pause', 'operator:treasury.pause', {
  summary:
    'Pause every payout at once: nobody approves, pays, builds or releases one. Resuming takes two administrators',
  body: reasonBody,
  answer: operatorTreasury,
  idempotent: true,
  refusals: ['already_decided'],
  audit: ['payouts.paused'],
})
