import { addressProblem, canonicalAddress } from '../../src/contract/addresses.ts'
import type { requestBankWithdrawal } from '../../src/contract/bankWithdrawals.ts'
import {
  COIN_LABELS,
  type Coin,
  coinOfNetwork,
  NETWORK_LABELS,
  type Network,
} from '../../src/contract/coins.ts'
import type { BodyOf } from '../../src/contract/endpoint.ts'
import type { requestWithdrawal } from '../../src/contract/withdrawals.ts'
import { sha256Hex } from '../lib/crypto/tokens.ts'
import { masked } from '../requests/masked.ts'
import type { withdrawalDetails } from './tables.ts'

/** Where a withdrawal goes. */
export interface Destination {
  /** Equal for equal destinations, however they were written. */
  readonly hash: string
  /** As the mail names it. */
  readonly words: string
  readonly details: Pick<typeof withdrawalDetails.$inferInsert, 'coin' | 'network' | 'address' | 'bank'>
  /** What is wrong with it, by field. */
  readonly problems: Readonly<Record<string, string>>
}

/** A wallet on a network. The address is stored as it was given, and compared in its canonical form. */
export async function walletDestination(
  body: Pick<BodyOf<typeof requestWithdrawal>, 'type' | 'network' | 'address'>,
): Promise<Destination> {
  const { type, network, address } = body
  const problems = walletProblems(type, network, address)
  const canonical = 'address' in problems ? address : canonicalAddress(network, address)
  return {
    hash: await sha256Hex(`wallet\n${network}\n${canonical}`),
    words: `the ${NETWORK_LABELS[network]} address ${address}`,
    details: { coin: type, network, address, bank: null },
    problems,
  }
}

function walletProblems(type: Coin, network: Network, address: string): Record<string, string> {
  const problem = addressProblem(network, address)
  return {
    ...(coinOfNetwork(network) !== type && {
      network: `${COIN_LABELS[type]} does not travel on ${NETWORK_LABELS[network]}`,
    }),
    ...(problem !== null && { address: problem }),
  }
}

/** A bank account. What tells one from another is the bank, the branch and the number. */
export async function bankDestination(body: BodyOf<typeof requestBankWithdrawal>): Promise<Destination> {
  const {
    amount: _amount,
    code: _code,
    passkey: _passkey,
    withdrawalMethod: _method,
    withdrawalType,
    ...bank
  } = body
  const account = [bank.bankName, bank.branchCode, bank.accountNumber].map(lettersAndDigits)
  return {
    hash: await sha256Hex(['bank', ...account].join('\n')),
    words: `the account ${masked(bank.accountNumber)} at ${bank.bankName}, held by ${bank.accountHolderName}`,
    details: {
      coin: null,
      network: null,
      address: null,
      bank: JSON.stringify({ ...bank, withdrawalType: withdrawalType || null }),
    },
    problems: {},
  }
}

// Case, blanks and hyphens make no other account.
function lettersAndDigits(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
