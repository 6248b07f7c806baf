import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'

const row = z.record(z.string(), z.unknown())

/** All data stored about a person. Each part lists its rows oldest first; times are ISO 8601, amounts in USD. */
const personalData = z.looseObject({
  exportedAt: isoTime,
  /** The data that the file leaves out, and how to get it. */
  notes: z.array(z.string()),
  /** The parts of the Total Balance: available + undone + held + allocating + invested + unrealised − owed. */
  balances: z.record(z.string(), z.number()),
  account: row,
  sessions: z.array(row),
  identityDocuments: z.array(row),
  requests: z.array(row),
  ledger: z.array(row),
  mails: z.array(row),
  /** The last member: a file without it was truncated. */
  complete: z.literal(true),
})

export const downloadData = endpoint('GET', '/users/data', 'signed-in', {
  summary: 'All data stored about the caller, as one JSON file. The caller is notified by mail',
  answer: personalData,
  limit: { name: 'data-download', per: 'account', max: 5, windowSeconds: 3600 },
})
