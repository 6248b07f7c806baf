import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'

const held = z.record(z.string(), z.unknown())

/** Everything held on a person. Each part lists its rows oldest first; times are ISO 8601, amounts in USD. */
const personalData = z.looseObject({
  exportedAt: isoTime,
  /** What is left out of the file, and how to get it. */
  notes: z.array(z.string()),
  /** Where the Total Balance is: available + held + allocating + invested + unrealised − owed. */
  balances: z.record(z.string(), z.number()),
  account: held,
  sessions: z.array(held),
  identityDocuments: z.array(held),
  requests: z.array(held),
  ledger: z.array(held),
  mails: z.array(held),
  /** The last member: a file without it was cut short. */
  complete: z.literal(true),
})

export const downloadData = endpoint('GET', '/users/data', 'signed-in', {
  summary: 'Everything held on whoever asks, as one JSON file to save. They are told by mail',
  answer: personalData,
  limit: { name: 'data-download', per: 'account', max: 5, windowSeconds: 3600 },
})
