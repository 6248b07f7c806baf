import * as z from 'zod/mini'
import { isoTime } from '../common.ts'

/** What an operator wrote down about an investor. Never shown to the investor, but in the file of their data, without its author. */
export const investorNote = z.object({
  _id: z.string(),
  at: isoTime,
  by: z.string(),
  text: z.string(),
})
export type InvestorNote = z.output<typeof investorNote>

export const LONGEST_NOTE = 2000
