import * as z from 'zod/mini'
import { choice, isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { codeField, passkeyAnswerField, requiredLines, requiredText } from '../fields.ts'
import { passwordAndProof } from '../identity/factors.ts'
import { COINS, NETWORKS } from './coins.ts'
import { bankFields, cryptoWithdrawal, isBankDetailNeeded, requireBankDetails } from './withdrawals.ts'

/** An address that an investor saved under a name. Saving does not confirm it as a destination. */
export const savedAddress = z.object({
  _id: z.string(),
  label: z.string(),
  type: z.enum(COINS),
  network: z.enum(NETWORKS),
  address: z.string(),
  createdAt: isoTime,
  /** Only while the lock is on and refuses this address: from when it can be used. */
  usableFrom: z.optional(isoTime),
  /** When its owner proved by a signature that the address is theirs. */
  provedAt: z.optional(isoTime),
  /** How many active plans pay to it, if any: deleting the address pauses them. */
  plans: z.optional(z.number()),
})
export type SavedAddress = z.output<typeof savedAddress>

const label = requiredText('Please give the address a name', 60)
/** The proof of a withdrawal, bound to this address and name. Without it, the refusal mails a code. */
const proof = { code: codeField(), passkey: passkeyAnswerField() }
const PROOF_REFUSALS = ['step_up_required', 'invalid_code', 'too_many_codes', 'invalid_passkey'] as const
const LIMIT = { name: 'address-book', per: 'account', max: 300, windowSeconds: 3600 } as const

export const listAddresses = endpoint('GET', '/users/addresses', 'signed-in', {
  summary: 'The address book: your own saved withdrawal addresses, newest first',
  query: pageQuery,
  answer: z.array(savedAddress),
})

export const saveAddress = endpoint('POST', '/users/addresses', 'signed-in', {
  summary:
    'Save a withdrawal address under a name, at most 50. Takes the proof of a withdrawal. Saving does not confirm it as a destination',
  status: 201,
  body: z.object({
    label,
    type: choice(COINS, 'Please choose a coin'),
    network: choice(NETWORKS, 'Please choose a network'),
    address: requiredText('Please provide withdrawal address', 200),
    ...proof,
  }),
  answer: savedAddress,
  limit: LIMIT,
  refusals: ['address_saved', 'too_many_addresses', ...PROOF_REFUSALS],
})

export const renameAddress = endpoint('PATCH', '/users/addresses/:id', 'signed-in', {
  summary: 'Rename a saved address. Takes the proof of a withdrawal',
  body: z.object({ label, ...proof }),
  answer: savedAddress,
  limit: LIMIT,
  refusals: PROOF_REFUSALS,
})

export const deleteAddress = endpoint('DELETE', '/users/addresses/:id', 'signed-in', {
  summary:
    'Delete an address from the address book. Recurring plans that pay to it are paused, and a mail says so',
  status: 204,
  limit: LIMIT,
})

export const challengeAddress = endpoint('POST', '/users/addresses/:id/challenge', 'signed-in', {
  summary:
    'Issue a message for the key of a saved address to sign. It names this site, the address, your account and its expiry, a day later. An earlier one of this address no longer counts',
  status: 201,
  answer: z.object({ message: z.string(), expiresAt: isoTime }),
  limit: LIMIT,
  refusals: ['conflict'],
})

/** The signature of the newest message, with the password and, if there is one, the second factor. */
const addressProof = z.extend(passwordAndProof, {
  signature: requiredLines('Please paste the signature', 1000),
})

export const proveAddress = endpoint('POST', '/users/addresses/:id/proof', 'signed-in', {
  summary:
    'Prove by a signature (BIP 322 or BIP 137, EIP-191, TIP-191) that a saved address is yours. Withdrawals to it are then not delayed as new ones are, unless your password, e-mail address or second factor changed in the last 72 hours or changes later. Each message proves once',
  body: addressProof,
  answer: savedAddress,
  limit: LIMIT,
  refusals: [
    'conflict',
    'already_decided',
    'wrong_password',
    'second_factor_required',
    'invalid_code',
    'too_many_codes',
    'invalid_passkey',
  ],
})

const destinationDelay = z.object({
  /** Whether you confirmed a withdrawal to this destination before. */
  isKnown: z.boolean(),
  /** Until when a withdrawal requested now is delayed; null if it is not. */
  heldUntil: z.nullable(isoTime),
})
export type DestinationDelay = z.output<typeof destinationDelay>

const CHECK_LIMIT = { name: 'destination-checks', per: 'account', max: 1200, windowSeconds: 3600 } as const

export const checkWallet = endpoint('POST', '/users/destinations/wallet', 'signed-in', {
  summary:
    'Whether a wallet is a new destination for you, and until when a withdrawal to it would be delayed',
  isQuery: true,
  body: z.pick(cryptoWithdrawal, { type: true, network: true, address: true }),
  answer: destinationDelay,
  limit: CHECK_LIMIT,
})

/** The fields of BANK_IDENTITY. */
export const bankAccount = z
  .pick(z.object(bankFields), {
    bankName: true,
    branchName: true,
    branchCode: true,
    accountNumber: true,
    accountType: true,
    accountHolderName: true,
    title: true,
    firstName: true,
    surname: true,
    clientNumber: true,
    investmentNumber: true,
    productName: true,
    country: true,
  })
  .check(
    requireBankDetails(
      (detail, { country }) =>
        detail !== 'occupation' && detail !== 'withdrawalReason' && isBankDetailNeeded(detail, country),
    ),
  )

export const checkBankAccount = endpoint('POST', '/users/destinations/bank', 'signed-in', {
  summary:
    'Whether a bank account is a new destination for you, and until when a withdrawal to it would be delayed',
  isQuery: true,
  body: bankAccount,
  answer: destinationDelay,
  limit: CHECK_LIMIT,
})
