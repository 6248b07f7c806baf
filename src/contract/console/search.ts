import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { requiredText } from '../fields.ts'
import { CHAINS } from '../money/payments.ts'
import { investorBrief } from './cases.ts'

/** At most this many people and this many cases are found. */
export const MOST_FOUND = 6

/** An amount is searched among so many of the newest requests, and of the oldest that wait in each state. */
export const AMOUNTS_SEARCHED = 2000

const foundCase = z.object({
  _id: z.string(),
  kind: z.enum(['deposit', 'withdrawal', 'kyc', 'message']),
  ref: z.string(),
  status: z.string(),
  /** USD; null for an identity document or a message. */
  amount: z.nullable(z.number()),
  person: z.string(),
  createdAt: isoTime,
})

export type FoundCase = z.output<typeof foundCase>

/** A watch-only wallet. */
const foundWallet = z.object({
  _id: z.string(),
  chain: z.enum(CHAINS),
  active: z.boolean(),
  /** The fingerprints or the addresses of its keys. */
  keyNames: z.array(z.string()),
})

export const found = z.object({
  people: z.array(investorBrief),
  cases: z.array(foundCase),
  wallets: z.array(foundWallet),
  /** For those who may read the audit log. */
  operators: z.array(investorBrief),
})

export type SearchResults = z.output<typeof found>

export const searchConsole = endpoint('POST', '/operator/search', 'operator:investors.read', {
  summary: `Search investors and cases, at most ${MOST_FOUND} of each, and watch-only wallets. Investors are found by the beginning of a word of the name, the e-mail address or the phone number, the newest 10,000 accounts by any part, and the owner of a deposit address or an observed payment by the first eight characters or more of the transaction id, or six of the address. Cases are found by the beginning of a reference, of a transaction id or of an address, a whole bank account number, their sender’s e-mail address, or by an exact amount in USD (among the newest ${AMOUNTS_SEARCHED}, and the oldest ${AMOUNTS_SEARCHED} that wait in each state). Watch-only wallets are found by their chain, the fingerprint of a key, a part of the descriptor or the beginning of an address. Operators are found by a part of the name or the e-mail address`,
  body: z.object({ query: requiredText('Please give something to search for', 120) }),
  answer: found,
  isQuery: true,
})
