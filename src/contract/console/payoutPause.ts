import * as z from 'zod/mini'
import { isoTime } from '../common.ts'

/** The pause of all payouts; null while they go on. */
export const payoutPauseField = z.nullable(
  z.object({ since: isoTime, by: z.object({ _id: z.string(), name: z.string() }), reason: z.string() }),
)

export type PayoutPause = NonNullable<z.output<typeof payoutPauseField>>
