import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** What holds for everybody, each with its words: `minimums.deposit`, 20, `$20.00`. */
const condition = z.object({
  setting: z.string(),
  value: z.union([z.number(), z.boolean()]),
  words: z.string(),
})

export const listConditions = endpoint({
  method: 'GET',
  path: '/conditions',
  scope: 'public',
  summary:
    'The settings that everybody may know, as they stand now: smallest amounts, fees, the limit above which two operators decide, whether identity is required, and how long documents are kept',
  status: 200,
  answer: z.array(condition),
})
