import * as z from 'zod/mini'
import { COINS, NETWORKS } from './coins.ts'
import { isoTime, page, pageQuery } from './common.ts'
import { endpoint } from './endpoint.ts'
import { KYC_DOCUMENTS, KYC_STATUSES } from './kyc.ts'
import { amountField, parseUsd } from './money.ts'
import { referenceField } from './references.ts'
import { optionalText, requiredText } from './text.ts'
import { REQUEST_STATUSES, statusFilter, TRX_TYPES, timelineEntry } from './transactions.ts'

const REASON = 'Please give a reason'
const reasonBody = z.object({ reason: requiredText(REASON, 500) })
const noBody = z.optional(z.looseObject({}))

export const investorBrief = z.object({ _id: z.string(), name: z.string(), email: z.string() })

/** What waits for a second operator: who approved first, with what. */
const firstApproval = z.object({
  by: z.string(),
  reference: z.string(),
  amount: z.number(),
  at: isoTime,
})

export const operatorDeposit = z.object({
  _id: z.string(),
  ref: z.string(),
  investor: investorBrief,
  status: z.enum(REQUEST_STATUSES),
  createdAt: isoTime,
  /** What was asked until it is credited, then what was credited. */
  amount: z.number(),
  asked: z.number(),
  type: z.string(),
  network: z.string(),
  paymentTo: z.string(),
  txid: z.nullable(z.string()),
  quantity: z.nullable(z.string()),
  rate: z.nullable(z.number()),
  reference: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  decidedBy: z.nullable(z.string()),
  awaiting: z.optional(z.literal('second_operator')),
  firstApproval: z.optional(firstApproval),
  timeline: z.optional(z.array(timelineEntry)),
})
export type OperatorDeposit = z.output<typeof operatorDeposit>

export const bankDetails = z.object({
  title: z.string(),
  surname: z.string(),
  firstName: z.string(),
  occupation: z.string(),
  clientNumber: z.string(),
  investmentNumber: z.string(),
  productName: z.string(),
  bankName: z.string(),
  accountNumber: z.string(),
  branchName: z.string(),
  accountType: z.string(),
  accountHolderName: z.string(),
  branchCode: z.string(),
  withdrawalType: z.nullable(z.string()),
  withdrawalReason: z.string(),
})
export type BankDetails = z.output<typeof bankDetails>

export const operatorWithdrawal = z.object({
  _id: z.string(),
  ref: z.string(),
  investor: investorBrief,
  status: z.enum(REQUEST_STATUSES),
  createdAt: isoTime,
  amount: z.number(),
  trxType: z.enum(TRX_TYPES),
  type: z.nullable(z.string()),
  network: z.nullable(z.string()),
  address: z.nullable(z.string()),
  bank: z.nullable(bankDetails),
  /** The extra proof that was given: none, e-mail or second factor; and why it was asked for. */
  proof: z.enum(['none', 'email', 'totp']),
  reasons: z.array(z.string()),
  /** Paid at this time at the earliest; null where nothing has to be waited for. */
  heldUntil: z.nullable(isoTime),
  approvedBy: z.nullable(z.string()),
  completedBy: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  timeline: z.optional(z.array(timelineEntry)),
})
export type OperatorWithdrawal = z.output<typeof operatorWithdrawal>

export const operatorKyc = z.object({
  _id: z.string(),
  ref: z.string(),
  investor: investorBrief,
  status: z.enum(KYC_STATUSES),
  createdAt: isoTime,
  document: z.enum(KYC_DOCUMENTS),
  mediaType: z.string(),
  reason: z.nullable(z.string()),
  decidedBy: z.nullable(z.string()),
})
export type OperatorKyc = z.output<typeof operatorKyc>

const waiting = z.object({ count: z.number(), oldest: z.nullable(isoTime) })

export const operatorOverview = z.object({
  waiting: z.object({
    deposits: waiting,
    withdrawals: waiting,
    payouts: waiting,
    kyc: waiting,
    messages: waiting,
    proposals: waiting,
  }),
  custody: z.array(
    z.object({ asset: z.string(), unit: z.string(), quantity: z.string(), valueUsd: z.nullable(z.number()) }),
  ),
  liabilities: z.number(),
  trialBalance: z.object({ debits: z.number(), credits: z.number(), balanced: z.boolean() }),
})
export type OperatorOverview = z.output<typeof operatorOverview>

export const getOverview = endpoint({
  method: 'GET',
  path: '/operator/overview',
  scope: 'operator:overview',
  summary: 'What waits and since when, custody against liabilities, the trial balance',
  status: 200,
  answer: operatorOverview,
})

const statusList = z.object({ ...page, status: statusFilter })

export const listDeposits = endpoint({
  method: 'GET',
  path: '/operator/deposits',
  scope: 'operator:deposits.read',
  summary: 'Deposit requests, newest first',
  status: 200,
  query: statusList,
  answer: z.array(operatorDeposit),
})
export const getDeposit = endpoint({
  method: 'GET',
  path: '/operator/deposits/:id',
  scope: 'operator:deposits.read',
  summary: 'One deposit request with its timeline',
  status: 200,
  answer: operatorDeposit,
})
export const getReceipt = endpoint({
  method: 'GET',
  path: '/operator/deposits/:id/receipt',
  scope: 'operator:deposits.read',
  summary: 'The receipt picture of a deposit request',
  status: 200,
  answerType: 'image/*',
})

/** How much of a coin arrived: a positive decimal, exact as text, down to 10⁻¹⁸. */
const quantityField = z.pipe(
  z.optional(
    z.nullable(z.union([z.string(), z.number()], { error: 'Please give the quantity as a number' })),
  ),
  z.transform((value, context) => {
    if (value === undefined || value === null || value === '') return undefined
    const text = String(value).trim()
    if (!/^\d{1,15}(?:\.\d{1,18})?$/.test(text) || !/[1-9]/.test(text)) {
      context.issues.push({
        code: 'custom',
        message: 'Please give the quantity that arrived as a number above zero',
        input: value,
      })
      return z.NEVER
    }
    return text
  }),
)

const optionalAmount = z.pipe(
  z.optional(
    z.nullable(z.union([z.string(), z.number()], { error: 'Please give the amount that arrived in USD' })),
  ),
  z.transform((value, context) => {
    if (value === undefined || value === null || value === '') return undefined
    const cents = parseUsd(value)
    if (cents === null) {
      context.issues.push({
        code: 'custom',
        message: 'Please give the amount that arrived in USD, above zero, with at most two decimals',
        input: value,
      })
      return z.NEVER
    }
    return cents
  }),
)

export const approveDepositBody = z.object({
  reference: referenceField('Please give the transaction id on the network'),
  amount: optionalAmount,
  quantity: quantityField,
  note: optionalText(500),
})
export type ApproveDepositBody = z.output<typeof approveDepositBody>

export const approveDeposit = endpoint({
  method: 'POST',
  path: '/operator/deposits/:id/approve',
  scope: 'operator:deposits.decide',
  summary: 'Credit what arrived under its transaction id. 202 while a second operator is needed',
  status: 200,
  body: approveDepositBody,
  answer: operatorDeposit,
  idempotent: true,
  refusals: ['already_decided', 'reference_used', 'approval_mismatch', 'second_operator_required'],
})
export const rejectDeposit = endpoint({
  method: 'POST',
  path: '/operator/deposits/:id/reject',
  scope: 'operator:deposits.decide',
  summary: 'Reject a pending deposit request with a reason the investor reads',
  status: 200,
  body: reasonBody,
  answer: operatorDeposit,
  idempotent: true,
  refusals: ['already_decided'],
})

export const listWithdrawals = endpoint({
  method: 'GET',
  path: '/operator/withdrawals',
  scope: 'operator:withdrawals.read',
  summary: 'Withdrawal requests of both kinds, newest first',
  status: 200,
  query: statusList,
  answer: z.array(operatorWithdrawal),
})
export const getWithdrawal = endpoint({
  method: 'GET',
  path: '/operator/withdrawals/:id',
  scope: 'operator:withdrawals.read',
  summary: 'One withdrawal request with its timeline',
  status: 200,
  answer: operatorWithdrawal,
})
export const approveWithdrawal = endpoint({
  method: 'POST',
  path: '/operator/withdrawals/:id/approve',
  scope: 'operator:withdrawals.decide',
  summary: 'Approve a pending withdrawal, to be paid',
  status: 200,
  body: noBody,
  answer: operatorWithdrawal,
  idempotent: true,
  refusals: ['already_decided'],
})
export const completeWithdrawal = endpoint({
  method: 'POST',
  path: '/operator/withdrawals/:id/complete',
  scope: 'operator:withdrawals.decide',
  summary: 'Record that an approved withdrawal was paid, under its reference',
  status: 200,
  body: z.object({
    reference: referenceField('Please give the transaction id on the network, or the bank’s reference'),
  }),
  answer: operatorWithdrawal,
  idempotent: true,
  refusals: ['already_decided', 'reference_used', 'destination_on_hold', 'second_operator_required'],
})
export const rejectWithdrawal = endpoint({
  method: 'POST',
  path: '/operator/withdrawals/:id/reject',
  scope: 'operator:withdrawals.decide',
  summary: 'Reject a pending or approved withdrawal; what was held is available again',
  status: 200,
  body: reasonBody,
  answer: operatorWithdrawal,
  idempotent: true,
  refusals: ['already_decided'],
})

const kycStatusFilter = z.optional(
  z.enum([...KYC_STATUSES, ''], { error: 'status is one of pending, approved, rejected' }),
)

export const listKycQueue = endpoint({
  method: 'GET',
  path: '/operator/kyc',
  scope: 'operator:kyc.read',
  summary: 'Identity documents submitted, newest first',
  status: 200,
  query: z.object({ ...page, status: kycStatusFilter }),
  answer: z.array(operatorKyc),
})
export const getKycDocument = endpoint({
  method: 'GET',
  path: '/operator/kyc/:id/document',
  scope: 'operator:kyc.read',
  summary: 'The document, decrypted for this one answer. Each look is on the audit log',
  status: 200,
  answerType: 'image/*',
})
export const approveKyc = endpoint({
  method: 'POST',
  path: '/operator/kyc/:id/approve',
  scope: 'operator:kyc.decide',
  summary: 'Approve an identity document',
  status: 200,
  body: noBody,
  answer: operatorKyc,
  idempotent: true,
  refusals: ['already_decided'],
})
export const rejectKyc = endpoint({
  method: 'POST',
  path: '/operator/kyc/:id/reject',
  scope: 'operator:kyc.decide',
  summary: 'Reject an identity document with a reason the investor reads',
  status: 200,
  body: reasonBody,
  answer: operatorKyc,
  idempotent: true,
  refusals: ['already_decided'],
})

export const operatorInvestor = z.object({
  _id: z.string(),
  name: z.string(),
  fullname: z.string(),
  email: z.string(),
  phone: z.string(),
  country: z.string(),
  createdAt: isoTime,
  emailVerified: z.boolean(),
  kyc: z.enum(['none', ...KYC_STATUSES]),
  frozen: z.boolean(),
  frozenReason: z.nullable(z.string()),
  balances: z.optional(
    z.object({
      available: z.number(),
      deposits: z.number(),
      withdrawals: z.number(),
      bonus: z.number(),
      profits: z.number(),
      pendingDeposits: z.number(),
      pendingWithdrawals: z.number(),
      totalBalance: z.number(),
      owed: z.number(),
    }),
  ),
})
export type OperatorInvestor = z.output<typeof operatorInvestor>

export const listInvestors = endpoint({
  method: 'GET',
  path: '/operator/investors',
  scope: 'operator:investors.read',
  summary: 'Investors, newest first; `query` is a part of the name or the e-mail address, or a reference',
  status: 200,
  query: z.object({ ...page, query: optionalText(120) }),
  answer: z.array(operatorInvestor),
})
export const getInvestor = endpoint({
  method: 'GET',
  path: '/operator/investors/:id',
  scope: 'operator:investors.read',
  summary: 'One investor with their figures',
  status: 200,
  answer: operatorInvestor,
})
export const freezeInvestor = endpoint({
  method: 'POST',
  path: '/operator/investors/:id/freeze',
  scope: 'operator:investors.write',
  summary: 'Freeze an account: it reads, and moves no money',
  status: 200,
  body: reasonBody,
  answer: operatorInvestor,
  idempotent: true,
})
export const unfreezeInvestor = endpoint({
  method: 'POST',
  path: '/operator/investors/:id/unfreeze',
  scope: 'operator:investors.write',
  summary: 'Lift the freeze of an account',
  status: 200,
  body: noBody,
  answer: operatorInvestor,
  idempotent: true,
})

const flag = (fallback: boolean, problem: string) =>
  z.pipe(
    z.optional(z.nullable(z.union([z.boolean(), z.enum(['true', 'false'])], { error: problem }))),
    z.transform((value) =>
      value === undefined || value === null ? fallback : value === true || value === 'true',
    ),
  )

export const notifyInvestor = endpoint({
  method: 'POST',
  path: '/operator/investors/:id/notification',
  scope: 'operator:investors.write',
  summary: 'Show an investor a notification. Its HTML is sanitised on the way in',
  status: 201,
  body: z.object({
    title: requiredText('Please give a title', 200),
    content: requiredText('Please give the content', 16_384),
    persistent: flag(false, 'persistent is true or false'),
  }),
  answer: operatorInvestor,
  idempotent: true,
})

export const operatorWallet = z.object({
  _id: z.string(),
  walletName: z.enum(COINS),
  network: z.enum(NETWORKS),
  address: z.string(),
  image: z.string(),
  active: z.boolean(),
  simulated: z.boolean(),
  createdAt: isoTime,
  retiredAt: z.nullable(isoTime),
})
export type OperatorWallet = z.output<typeof operatorWallet>

export const listOperatorWallets = endpoint({
  method: 'GET',
  path: '/operator/wallets',
  scope: 'operator:wallets.read',
  summary: 'Receiving wallets, active and retired',
  status: 200,
  query: pageQuery,
  answer: z.array(operatorWallet),
})
export const retireWallet = endpoint({
  method: 'POST',
  path: '/operator/wallets/:id/retire',
  scope: 'operator:wallets.write',
  summary: 'Show a receiving wallet to nobody any more; its history stays',
  status: 200,
  body: noBody,
  answer: operatorWallet,
  idempotent: true,
  refusals: ['already_decided'],
})

/** An amount of a setting: USD, zero allowed. To cents. */
const settingAmount = z.pipe(
  z.union([z.string(), z.number()], { error: 'Please give an amount in USD' }),
  z.transform((value, context) => {
    if (value === 0 || value === '0') return 0
    const cents = parseUsd(value)
    if (cents === null) {
      context.issues.push({
        code: 'custom',
        message: 'Please give an amount in USD, like 5000 or 0',
        input: value,
      })
      return z.NEVER
    }
    return cents
  }),
)

/** A share in basis points: hundredths of a per cent. */
const basisPoints = z
  .number({ error: 'Please give basis points, a whole number from 0 to 10,000' })
  .check(
    z.refine(
      (value: number) => Number.isInteger(value) && value >= 0 && value <= 10_000,
      'Please give basis points, a whole number from 0 to 10,000',
    ),
  )

/** Settings that one operator changes at once. */
export const openSettings = z.object({
  messagingNumber: z.optional(
    z.nullable(
      z
        .string()
        .check(
          z.refine(
            (value: string) => value === '' || /^\+(?:\d ?){6,14}\d$/.test(value),
            'Please give a number like +41 79 123 45 67, or leave it empty',
          ),
        ),
    ),
  ),
  supportAddress: z.optional(
    z.nullable(
      z.string().check(
        z.refine(
          (value: string) => /^[^\s@]{1,64}@[^\s@]+\.[^\s@]{2,}$/.test(value) || value === '',
          'Provide a valid email',
        ),
        z.maxLength(254, 'Provide a valid email'),
      ),
    ),
  ),
  reasons: z.optional(
    z.array(requiredText('A reason cannot be empty', 300)).check(z.maxLength(50, 'At most 50 reasons')),
  ),
})
export type OpenSettings = z.output<typeof openSettings>

/** Settings that need two operators. Amounts in USD. */
export const guardedSettings = z.object({
  twoPersonLimit: z.optional(settingAmount),
  kycRequired: z.optional(z.boolean({ error: 'kycRequired is true or false' })),
  referralBonus: z.optional(settingAmount),
  minimums: z.optional(
    z.object({ deposit: z.optional(settingAmount), withdrawal: z.optional(settingAmount) }),
  ),
  fees: z.optional(
    z.object({
      performanceBasisPoints: z.optional(basisPoints),
      subscriptionMonthly: z.optional(settingAmount),
    }),
  ),
})
export type GuardedSettings = z.output<typeof guardedSettings>

export const settings = z.object({
  messagingNumber: z.nullable(z.string()),
  supportAddress: z.nullable(z.string()),
  reasons: z.array(z.string()),
  twoPersonLimit: z.number(),
  kycRequired: z.boolean(),
  referralBonus: z.number(),
  minimums: z.object({ deposit: z.number(), withdrawal: z.number() }),
  fees: z.object({ performanceBasisPoints: z.number(), subscriptionMonthly: z.number() }),
})
export type Settings = z.output<typeof settings>

export const getSettings = endpoint({
  method: 'GET',
  path: '/operator/settings',
  scope: 'operator:settings.read',
  summary: 'The platform’s settings',
  status: 200,
  answer: settings,
})
export const PROPOSAL_KINDS = ['bonus', 'wallet', 'settings', 'reversal'] as const
export const PROPOSAL_STATUSES = ['pending', 'approved', 'rejected'] as const

export const proposal = z.object({
  _id: z.string(),
  kind: z.enum(PROPOSAL_KINDS),
  status: z.enum(PROPOSAL_STATUSES),
  createdAt: isoTime,
  proposedBy: z.object({ _id: z.string(), name: z.string() }),
  decidedBy: z.nullable(z.object({ _id: z.string(), name: z.string() })),
  decidedAt: z.nullable(isoTime),
  reason: z.nullable(z.string()),
  rejection: z.nullable(z.string()),
  investor: z.optional(investorBrief),
  amount: z.optional(z.number()),
  request: z.optional(
    z.object({ _id: z.string(), ref: z.string(), trxType: z.enum(TRX_TYPES), amount: z.number() }),
  ),
  wallet: z.optional(
    z.object({
      walletName: z.enum(COINS),
      network: z.enum(NETWORKS),
      address: z.string(),
      simulated: z.boolean(),
    }),
  ),
  settings: z.optional(z.looseObject({})),
})
export type Proposal = z.output<typeof proposal>

export const patchSettings = endpoint({
  method: 'PATCH',
  path: '/operator/settings',
  scope: 'operator:settings.write',
  summary: 'Change settings: contact details and reasons at once (200), all others as a proposal (202)',
  status: 200,
  body: z.object({ ...openSettings.shape, ...guardedSettings.shape }),
  answer: z.union([settings, proposal]),
})

export const bonusProposal = z.object({
  kind: z.literal('bonus'),
  investor: requiredText('Please choose the investor', 100),
  amount: amountField('Please input the amount in USD'),
  reason: requiredText(REASON, 500),
})
export const walletProposal = z.object({
  kind: z.literal('wallet'),
  walletName: z.enum(COINS, { error: 'Please choose a coin' }),
  type: z.optional(z.nullable(z.enum(COINS, { error: 'Please choose a coin' }))),
  network: z.enum(NETWORKS, { error: 'Please choose a network' }),
  address: requiredText('Please give the receiving address', 200),
  reason: optionalText(500),
})
export const settingsProposal = z.object({
  kind: z.literal('settings'),
  settings: guardedSettings,
  reason: optionalText(500),
})
export const reversalProposal = z.object({
  kind: z.literal('reversal'),
  request: requiredText('Please name the request to reverse', 100),
  reason: requiredText(REASON, 500),
})

export const proposalBody = z.discriminatedUnion(
  'kind',
  [bonusProposal, walletProposal, settingsProposal, reversalProposal],
  { error: 'kind is one of bonus, wallet, settings, reversal' },
)
export type ProposalBody = z.output<typeof proposalBody>

export const listProposals = endpoint({
  method: 'GET',
  path: '/operator/proposals',
  scope: 'operator:proposals.read',
  summary: 'What one operator may not do alone, newest first',
  status: 200,
  query: z.object({
    ...page,
    status: z.optional(
      z.enum([...PROPOSAL_STATUSES, ''], { error: 'status is one of pending, approved, rejected' }),
    ),
  }),
  answer: z.array(proposal),
})
export const propose = endpoint({
  method: 'POST',
  path: '/operator/proposals',
  scope: 'operator:proposals.write',
  summary: 'Propose a bonus, a receiving wallet, settings or a reversal',
  status: 201,
  body: proposalBody,
  answer: proposal,
  idempotent: true,
})
export const approveProposal = endpoint({
  method: 'POST',
  path: '/operator/proposals/:id/approve',
  scope: 'operator:proposals.decide',
  summary: 'Approve another operator’s proposal; it takes effect at once',
  status: 200,
  body: noBody,
  answer: proposal,
  idempotent: true,
  refusals: ['already_decided', 'second_operator_required', 'conflict'],
})
export const rejectProposal = endpoint({
  method: 'POST',
  path: '/operator/proposals/:id/reject',
  scope: 'operator:proposals.decide',
  summary: 'Reject a proposal with a reason',
  status: 200,
  body: reasonBody,
  answer: proposal,
  idempotent: true,
  refusals: ['already_decided'],
})

export const contactMessage = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  message: z.string(),
  status: z.enum(['open', 'closed']),
  createdAt: isoTime,
  closedBy: z.nullable(z.string()),
})
export type ContactMessage = z.output<typeof contactMessage>

export const listMessages = endpoint({
  method: 'GET',
  path: '/operator/messages',
  scope: 'operator:messages.read',
  summary: 'Contact messages, newest first',
  status: 200,
  query: z.object({
    ...page,
    status: z.optional(z.enum(['open', 'closed', ''], { error: 'status is open or closed' })),
  }),
  answer: z.array(contactMessage),
})
export const closeMessage = endpoint({
  method: 'POST',
  path: '/operator/messages/:id/close',
  scope: 'operator:messages.write',
  summary: 'Mark a contact message as answered',
  status: 200,
  body: noBody,
  answer: contactMessage,
  idempotent: true,
  refusals: ['already_decided'],
})

export const auditEntry = z.object({
  _id: z.string(),
  at: isoTime,
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
})
export type AuditEntry = z.output<typeof auditEntry>
export const listAuditLog = endpoint({
  method: 'GET',
  path: '/operator/audit-log',
  scope: 'operator:audit.read',
  summary: 'Who did what to whom, when; newest first',
  status: 200,
  query: pageQuery,
  answer: z.array(auditEntry),
})
export const verifyAuditLog = endpoint({
  method: 'GET',
  path: '/operator/audit-log/verify',
  scope: 'operator:audit.read',
  summary: 'Recompute the hash chain of the audit log',
  status: 200,
  answer: z.object({
    ok: z.boolean(),
    sealed: z.number(),
    unsealed: z.number(),
    brokenAt: z.optional(z.string()),
  }),
})

export const trialBalance = z.object({
  debits: z.number(),
  credits: z.number(),
  balanced: z.boolean(),
  accounts: z.array(z.object({ kind: z.string(), balance: z.number() })),
})
export type TrialBalance = z.output<typeof trialBalance>
export const getTrialBalance = endpoint({
  method: 'GET',
  path: '/operator/ledger/trial-balance',
  scope: 'operator:ledger.read',
  summary: 'Debits, credits and the balance of each kind of account',
  status: 200,
  answer: trialBalance,
})
