import * as z from 'zod/mini'
import { requiredText } from '../text.ts'

export const REASON = 'Please give a reason'

/** Of decisions that somebody has to be able to understand later. */
export const reasonBody = z.object({ reason: requiredText(REASON, 500) })

/** Of decisions about which nothing more is to be said. What is sent all the same is ignored. */
export const noBody = z.optional(z.object({}))
