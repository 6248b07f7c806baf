import type { Placeholder } from './placeholders.ts'
import { RISK_FROM, RISK_RULES, type RiskRule } from './risk.ts'
import { getWorkKind, WORK_KIND_NAMES, type WorkKind } from './work.ts'

/**
 * Every setting of the platform: label, description and default. Two administrators change one, which the database enforces. The API's schemas, the Worker's
 * values, the screen, the launch check and docs/settings.md derive from this list, so a new setting is one new entry.
 */
export interface SettingFacts {
  readonly group: SettingGroup
  readonly label: string
  /** The setting's effect, and who can see it. */
  readonly does: string
  readonly unit: SettingUnit
  /** In its unit: amounts in cents. Null means none. */
  readonly default: number | boolean | string | null | readonly string[]
  /** Whole numbers, inclusive. */
  readonly bounds?: { readonly least: number; readonly most: number }
  /** Of a list: what its texts may take from the case. */
  readonly placeholders?: readonly Placeholder[]
  /** Of a list of texts with paragraphs: their most characters. */
  readonly longest?: number
  /** Everyone may read it: public pages show the value. */
  readonly isPublic?: true
  /** The missing item that the launch check reports while the setting is not set. */
  readonly neededLive?: string
}

/** `role` is one role of operators, `phone` and `email` are text or null, `list` is ordered sentences. */
export type SettingUnit =
  | 'cents'
  | 'basis points'
  | 'days'
  | 'count'
  | 'yes or no'
  | 'role'
  | 'phone'
  | 'email'
  | 'list'

export const SETTING_GROUPS = [
  'Contact',
  'Limits',
  'Daily ceilings',
  'Targets',
  'Identity',
  'Referral bonus',
  'Fees',
  'Retention',
  'Liabilities',
  'Reasons',
  'Risk',
  'Reply templates',
] as const
export type SettingGroup = (typeof SETTING_GROUPS)[number]

const KEPT = {
  group: 'Retention',
  unit: 'days',
  bounds: { least: 1, most: 10_950 },
  isPublic: true,
} as const
/** The default covers a network's ordinary fee for paying a withdrawal. */
const NETWORK_MINIMUM = {
  group: 'Limits',
  does: 'A smaller withdrawal over this network is refused, unless it takes everything that is available. It should cover what the network ordinarily asks to pay it. The larger of this and the general minimum counts. Investors see it in the form, everybody under Fees.',
  unit: 'cents',
  isPublic: true,
} as const
const RETENTION_NEEDED = 'How long documents and persons are kept'
const CEILING = {
  group: 'Daily ceilings',
  unit: 'cents',
  neededLive: 'What may be credited and paid out in a day',
} as const
const QUOTE_MINUTES_SETTING = {
  group: 'Limits',
  does: 'The quote of a deposit ends if its payment is in no block this long after it was first seen. Then the lower of the quote and the final price counts. Only operators see it.',
  unit: 'count',
  bounds: { least: 1, most: 1_440 },
} as const
const RISK_POINTS = { group: 'Risk', unit: 'count', bounds: { least: 0, most: 1_000 } } as const
/** The points of each rule. */
const RISK_WEIGHTS = Object.fromEntries(
  Object.entries(RISK_RULES).map(([rule, { title, weight }]) => [
    `risk.${rule}`,
    {
      ...RISK_POINTS,
      label: title,
      does: 'The points that this sign adds to the risk of a case. With 0, the sign is not shown. Only operators see it.',
      default: weight,
    },
  ]),
) as {
  readonly [Rule in RiskRule as `risk.${Rule}`]: typeof RISK_POINTS &
    Omit<SettingFacts, keyof typeof RISK_POINTS> & { readonly default: number }
}
/** Within how many hours each kind of work should be done: one setting for each, `targets.deposit`. */
const TARGETS = Object.fromEntries(
  WORK_KIND_NAMES.map((kind) => [`targets.${kind}`, createTarget(getWorkKind(kind))]),
) as { readonly [Kind in WorkKind as `targets.${Kind}`]: ReturnType<typeof createTarget> }

function createTarget({ title, hours }: ReturnType<typeof getWorkKind>) {
  return {
    group: 'Targets',
    label: `${title}, hours`,
    does: 'Hours until a case is overdue. Then it is red, Health counts it, and operators who can decide it get one mail. Time in which we wait for the investor does not count. Only operators see it.',
    unit: 'count',
    default: hours,
    bounds: { least: 1, most: 2_160 },
  } as const
}

const REASON_LIST = { group: 'Reasons', unit: 'list' } as const
const TEMPLATE_LIST = { group: 'Reply templates', unit: 'list', longest: 2_000 } as const
const OFFERED_TO = 'Offered for a message whose writer'
const OFFERED_TO_ASK = 'Offered when an operator asks an investor about'
const FILLED_IN = 'It may name {name}, {ref}, {amount} and {status}.'
const OF_REQUEST = { placeholders: ['name', 'ref', 'amount', 'status'] } as const

/** Keys as in the API; a dot separates a group from its part. */
export const SETTINGS = {
  messagingNumber: {
    group: 'Contact',
    label: 'Messaging number',
    does: 'The number of support in a messaging app. Everybody sees it on the contact page.',
    unit: 'phone',
    default: null,
    neededLive: 'The number of the messaging app',
  },
  supportAddress: {
    group: 'Contact',
    label: 'Support address',
    does: 'Replies to the platform’s mails go to this address. Everybody who gets a mail sees it. The address on the site’s pages is in the configuration.',
    unit: 'email',
    default: null,
    neededLive: 'The support address of mails',
  },
  twoPersonLimit: {
    group: 'Limits',
    label: 'Two operators above',
    does: 'Credits and payouts above it take two operators. It counts what one operator decided alone for the same investor within a day. Everybody sees it under Fees.',
    unit: 'cents',
    default: 500_000,
    isPublic: true,
  },
  automaticCredit: {
    group: 'Limits',
    label: 'Credited without an operator',
    does: 'Deposits that a chain proves are credited by the system up to this amount for one investor in 24 hours. A credit beyond it takes two operators. With 0, every credit takes two. Only operators see it.',
    unit: 'cents',
    default: 500_000,
  },
  addressGap: {
    group: 'Limits',
    label: 'Unpaid addresses that wallets scan',
    does: 'Deposit addresses are given in order. Wallet software stops looking after this many unpaid ones (its gap limit), so no address beyond it is given. Only operators see it.',
    unit: 'count',
    default: 1_000,
    bounds: { least: 20, most: 100_000 },
  },
  quoteMinutesBitcoin: {
    ...QUOTE_MINUTES_SETTING,
    label: 'Minutes until an unconfirmed Bitcoin payment loses its quote',
    default: 60,
  },
  quoteMinutesEthereum: {
    ...QUOTE_MINUTES_SETTING,
    label: 'Minutes until an unconfirmed Ethereum payment loses its quote',
    default: 15,
  },
  orderCollar: {
    group: 'Limits',
    label: 'Collar of orders at an exchange',
    does: 'An order’s limit is at most this far from the price that the platform believes. Only operators see it.',
    unit: 'basis points',
    default: 100,
    bounds: { least: 1, most: 1_000 },
  },
  orderMost: {
    group: 'Limits',
    label: 'Largest order at an exchange',
    does: 'A larger order is sent in parts, one after the other. Only operators see it.',
    unit: 'cents',
    default: 1_000_000,
  },
  orderDayMost: {
    group: 'Limits',
    label: 'Orders of one strategy in 24 hours',
    does: 'The most that one strategy orders at an exchange within 24 hours, purchases and sales together. What is beyond it waits for a day at most. Then the next day’s orders make up for it, and it counts as a missed or late day. Only operators see it.',
    unit: 'cents',
    default: 5_000_000,
  },
  'dailyCeilings.creditsAlone': {
    ...CEILING,
    label: 'Credits by one operator in 24 hours',
    does: 'The most that one operator credits alone, to all investors together. A credit beyond it takes two operators. With 0, every credit takes two.',
    default: 2_500_000,
  },
  'dailyCeilings.payoutsAlone': {
    ...CEILING,
    label: 'Payouts by one operator in 24 hours',
    does: 'The most that one operator pays out alone, to all investors together. A payout beyond it takes two operators. With 0, every payout takes two.',
    default: 2_500_000,
  },
  'dailyCeilings.credits': {
    ...CEILING,
    label: 'All credits in 24 hours',
    does: 'The most that all operators credit together. A credit beyond it is refused, even with two operators. 0 stops all credits.',
    default: 1_000_000_000,
  },
  'dailyCeilings.payouts': {
    ...CEILING,
    label: 'All payouts in 24 hours',
    does: 'The most that all operators pay out together. A payout beyond it is refused, even with two operators. 0 stops all payouts.',
    default: 1_000_000_000,
  },
  ...TARGETS,
  factorMinutes: {
    group: 'Limits',
    label: 'Minutes a second factor counts',
    does: 'Every change in the console, each document and each export need a second factor that is at most this old. Signing in counts. Only operators see it.',
    unit: 'count',
    default: 15,
    bounds: { least: 1, most: 60 },
  },
  notificationsPerDay: {
    group: 'Limits',
    label: 'Messages an operator sends a day',
    does: 'Within 24 hours, to single investors: notifications, replies and the messages with credits together. To reach more people, two administrators approve an announcement. Only operators see it.',
    unit: 'count',
    default: 20,
    bounds: { least: 0, most: 1_000 },
  },
  confidentialRole: {
    group: 'Limits',
    label: 'Role for confidential notes',
    does: 'The role that, besides compliance, writes and reads confidential notes and begins and ends silent freezes. Auditors read them, whichever role this is. Only operators see it.',
    unit: 'role',
    default: 'administrator',
  },
  silentFreezeDays: {
    group: 'Limits',
    label: 'Days before a silent freeze raises an alarm',
    does: 'A silent freeze that is older than this raises an alarm until it is renewed or ended. Only operators see it.',
    unit: 'days',
    default: 14,
    bounds: { least: 1, most: 365 },
  },
  'minimums.deposit': {
    group: 'Limits',
    label: 'Smallest deposit',
    does: 'A smaller deposit request is refused. 0 means no minimum. Investors see it in the form, everybody under Fees.',
    unit: 'cents',
    default: 0,
    isPublic: true,
  },
  'minimums.withdrawal': {
    group: 'Limits',
    label: 'Smallest withdrawal',
    does: 'A smaller withdrawal is refused, unless it takes everything that is available. 0 means no minimum. Investors see it in the form, everybody under Fees.',
    unit: 'cents',
    default: 0,
    isPublic: true,
  },
  'minimums.btc': {
    ...NETWORK_MINIMUM,
    label: 'Smallest withdrawal of bitcoin over Bitcoin',
    default: 200,
  },
  'minimums.eth': {
    ...NETWORK_MINIMUM,
    label: 'Smallest withdrawal of ether over Ethereum',
    default: 200,
  },
  'minimums.usdt-trc20': {
    ...NETWORK_MINIMUM,
    label: 'Smallest withdrawal of USDT over TRON',
    default: 200,
  },
  'minimums.usdt-bsc': {
    ...NETWORK_MINIMUM,
    label: 'Smallest withdrawal of USDT over BNB Smart Chain',
    default: 100,
  },
  'minimums.usdt-erc20': {
    ...NETWORK_MINIMUM,
    label: 'Smallest withdrawal of USDT over Ethereum',
    default: 200,
  },
  'minimums.usdc-erc20': {
    ...NETWORK_MINIMUM,
    label: 'Smallest withdrawal of USDC over Ethereum',
    default: 200,
  },
  kycRequired: {
    group: 'Identity',
    label: 'Identity required',
    does: 'Whether deposits and withdrawals need an approved identity. It applies to both, so that nobody can pay in and then be unable to withdraw. Investors see it before they file a request.',
    unit: 'yes or no',
    default: true,
    isPublic: true,
  },
  addressProofAbove: {
    group: 'Identity',
    label: 'Ask for a proof of address above',
    does: 'An investor whose withdrawals together are above this amount, with the open ones, needs an approved proof of address. With 0, nobody needs one. Investors see it on the KYC page and when they withdraw.',
    unit: 'cents',
    default: 0,
  },
  referralBonus: {
    group: 'Referral bonus',
    label: 'Referral bonus',
    does: 'Paid to an investor when somebody they invited is identified, has a first deposit credited and leaves it with us for a time. 0 means no bonus. Investors see it on their Referral Program page.',
    unit: 'cents',
    default: 0,
  },
  'referral.minimumDeposit': {
    group: 'Referral bonus',
    label: 'Smallest first deposit that earns a bonus',
    does: 'A smaller first deposit earns nothing. The invited person has to leave at least this much with us until the bonus is paid. Investors see it on their Referral Program page.',
    unit: 'cents',
    default: 10_000,
  },
  'referral.maturityDays': {
    group: 'Referral bonus',
    label: 'Days until a bonus is paid',
    does: 'This long after the first deposit was credited, the bonus is paid if the deposit stands and its money is still with us. Investors see it on their Referral Program page.',
    unit: 'days',
    default: 30,
    bounds: { least: 1, most: 365 },
  },
  'fees.performanceBasisPoints': {
    group: 'Fees',
    label: 'Performance fee',
    does: 'The share of profit above each position’s own high-water mark. It is taken in units at a month’s first valuation and on redemption. Everybody sees it under Fees.',
    unit: 'basis points',
    default: 0,
    bounds: { least: 0, most: 10_000 },
    isPublic: true,
  },
  'fees.subscriptionMonthly': {
    group: 'Fees',
    label: 'Monthly subscription',
    does: 'The monthly cost of an account, taken in units of a position at the month’s first valuation. An account without a position pays nothing. Everybody sees it under Fees.',
    unit: 'cents',
    default: 0,
    isPublic: true,
  },
  // A placeholder until the operating company's law is known: docs/decisions.
  'retention.documentDays': {
    ...KEPT,
    label: 'Documents kept after closing',
    does: 'After this time the identity documents of a closed account are shredded. Investors see it when they close their account, everybody in the Privacy Policy.',
    default: 1825,
    neededLive: RETENTION_NEEDED,
  },
  'retention.personDays': {
    ...KEPT,
    label: 'Person kept after closing',
    does: 'After this time the personal data of a closed account is erased. The books stay. Investors see it when they close their account, everybody in the Privacy Policy.',
    default: 1825,
    neededLive: RETENTION_NEEDED,
  },
  'retention.rejectedDocumentDays': {
    ...KEPT,
    label: 'Rejected documents kept',
    does: 'This long after its rejection, the picture of an identity document is shredded. Everybody sees it in the Privacy Policy.',
    default: 180,
    neededLive: RETENTION_NEEDED,
  },
  liabilitiesFrom: {
    group: 'Liabilities',
    label: 'Investors from which liabilities are published',
    does: 'With fewer creditors, the day’s root is not published, because their sums could identify them. Investors see whether there is a root.',
    unit: 'count',
    default: 20,
    bounds: { least: 20, most: 100_000 },
  },
  reserveShortfall: {
    group: 'Liabilities',
    label: 'Shortfall of the reserves that stops payouts',
    does: 'If the watch-only wallets hold less of an asset than the books say by more than this, no payout on a chain is released until a later count is in order. Everybody sees the counted reserves under Liabilities.',
    unit: 'basis points',
    default: 100,
    bounds: { least: 0, most: 10_000 },
  },
  'reasons.depositRejection': {
    ...REASON_LIST,
    placeholders: ['name', 'ref', 'amount'],
    label: 'Rejecting a deposit',
    does: 'Offered when an operator rejects a deposit. The investor reads the chosen one. It may name {name}, {ref} and {amount}.',
    default: [
      'The payment has not arrived.',
      'The receipt does not belong to this payment.',
      'The payment arrived on a different network from the one you chose. Please write to us with its transaction id.',
    ],
  },
  'reasons.withdrawalRejection': {
    ...REASON_LIST,
    placeholders: ['name', 'ref', 'amount'],
    label: 'Rejecting a withdrawal',
    does: 'Offered when an operator rejects a withdrawal. The investor reads the chosen one. It may name {name}, {ref} and {amount}.',
    default: [
      'We cannot pay to this destination. Please check it and try again.',
      'The account holder’s name differs from the name of this account.',
      'We could not reach you to confirm this withdrawal. If it was you, please request it again and write to us.',
    ],
  },
  'reasons.identityRejection': {
    ...REASON_LIST,
    placeholders: ['name', 'ref'],
    label: 'Rejecting an identity document',
    does: 'Offered when an operator rejects an identity document. The investor reads the chosen one. It may name {name} and {ref}.',
    default: [
      'The picture is blurred or cut off. Please send a sharp one that shows the whole document.',
      'The document has expired.',
      'The name on the document differs from the name of the account.',
    ],
  },
  'reasons.finalRejection': {
    ...REASON_LIST,
    placeholders: ['name', 'ref'],
    label: 'Rejecting an identity for good',
    does: 'Offered when an operator rejects an identity document for good. The investor reads the chosen one. It may name {name} and {ref}.',
    default: [
      'The document was altered.',
      'The document belongs to another person.',
      'We may not open an account for you.',
    ],
  },
  'reasons.recoveryRejection': {
    ...REASON_LIST,
    label: 'Rejecting the removal of a lost second factor',
    does: 'Offered when an operator rejects the removal of a lost second factor. Only operators see it.',
    default: [
      'The person we talked to is not the person on the identity document.',
      'We could not reach the investor to check the identity.',
      'The investor did not ask for it.',
    ],
  },
  'reasons.addressRejection': {
    ...REASON_LIST,
    placeholders: ['name', 'ref'],
    label: 'Rejecting a proof of address',
    does: 'Offered when an operator rejects a proof of address. The investor reads the chosen one. It may name {name} and {ref}.',
    default: [
      'The document is older than three months. Please send a newer one.',
      'The address differs from the one in your profile. Please correct your profile, or send a document with that address.',
      'The name on the document differs from the name of the account.',
      'We cannot accept this kind of document. Please send a utility bill, a bank statement or an official letter.',
      'The picture is blurred or cut off. Please send a sharp one that shows the whole page, with its date.',
    ],
  },
  'reasons.freeze': {
    ...REASON_LIST,
    label: 'Freezing an account',
    does: 'Offered when an operator freezes an account. Only operators see it.',
    default: [
      'Somebody else may have access to the account.',
      'The investor asked for it.',
      'Payments and destinations do not match what we know about the investor.',
    ],
  },
  'reasons.disabling': {
    ...REASON_LIST,
    label: 'Disabling an operator',
    does: 'Offered when an administrator disables an operator. The disabled operator does not see it.',
    default: ['They no longer work here.', 'Somebody else may have access to their account.'],
  },
  'reasons.proposalRejection': {
    ...REASON_LIST,
    label: 'Rejecting a proposal',
    does: 'Offered when an operator rejects a proposal. Only operators see it.',
    default: [
      'It differs from what was agreed.',
      'A figure or an address is wrong.',
      'The proposer withdrew it.',
    ],
  },
  'reasons.suspension': {
    ...REASON_LIST,
    label: 'Suspending a strategy',
    does: 'Offered when an operator suspends a strategy. Its investors read the chosen one in a mail, and everybody on its public page.',
    default: [
      'We are checking its prices.',
      'We are checking its orders at the exchange.',
      'We are doing maintenance.',
    ],
  },
  'reasons.reversal': {
    ...REASON_LIST,
    label: 'Reversing a credit or a payment',
    does: 'Offered when an operator proposes a reversal. The investor sees it in the mail.',
    default: [
      'It was recorded for the wrong account.',
      'It was recorded twice.',
      'The payment was returned.',
    ],
  },
  'reasons.bonus': {
    ...REASON_LIST,
    label: 'Granting a bonus',
    does: 'Offered when an operator proposes a bonus. Only operators see it.',
    default: ['To make up for our mistake.', 'For a fault that was reported to us.'],
  },
  'risk.highFrom': {
    ...RISK_POINTS,
    label: 'High risk from',
    does: 'A case with at least this many points has a high risk. Its decision takes a reason, and a credit or payout takes two operators. Queues can be filtered and sorted by it. Only operators see it.',
    default: RISK_FROM.highFrom,
  },
  'risk.mediumFrom': {
    ...RISK_POINTS,
    label: 'Medium risk from',
    does: 'A case with at least this many points, and not a high risk, has a medium risk. Only operators see it.',
    default: RISK_FROM.mediumFrom,
  },
  'risk.countries': {
    group: 'Risk',
    unit: 'list',
    label: 'Countries on the list',
    does: 'A case of somebody from one of these countries, or a payout to a bank there, has a sign of risk. A name or a code of two letters. The default is FATF’s list of high-risk countries. Only operators see it.',
    default: ['Iran', 'North Korea', 'Myanmar'],
  },
  ...RISK_WEIGHTS,
  'templates.depositPending': {
    ...TEMPLATE_LIST,
    ...OF_REQUEST,
    label: 'About a pending deposit',
    does: `${OFFERED_TO} has a pending deposit. ${FILLED_IN}`,
    default: [
      `# We are checking it

Thank you for your message. We have your deposit {ref} and are checking it now.

We credit it once the payment has arrived and matches your receipt. You get a mail then, and your transaction history shows it.`,
      `# No payment found

We could not find a payment for your deposit {ref} yet.

Please send us the transaction id. Your wallet or the exchange that you paid from shows it. Please also check that the payment went to the address and the network on the deposit page.

Never send us a password, a code or a recovery phrase.`,
    ],
  },
  'templates.depositDecided': {
    ...TEMPLATE_LIST,
    ...OF_REQUEST,
    label: 'About a decided deposit',
    does: `${OFFERED_TO} has a deposit that was credited, rejected, cancelled or reversed in the last 30 days. ${FILLED_IN}`,
    default: [
      `# What was decided

Your deposit {ref} is {status}. Your transaction history shows when, and our message about it if there is one.`,
    ],
  },
  'templates.withdrawalPending': {
    ...TEMPLATE_LIST,
    ...OF_REQUEST,
    label: 'About a pending withdrawal',
    does: `${OFFERED_TO} has a pending withdrawal. ${FILLED_IN}`,
    default: [
      `# We are checking it

Thank you for your message. We have your withdrawal {ref}. An operator checks it before it is paid.

You get a mail when it is paid, or with the reason if it cannot be. We never ask for a payment before a withdrawal.`,
    ],
  },
  'templates.withdrawalHeld': {
    ...TEMPLATE_LIST,
    placeholders: [...OF_REQUEST.placeholders, 'until'],
    label: 'About a delayed withdrawal',
    does: `${OFFERED_TO} has a withdrawal that may not be paid yet. It may name {name}, {ref}, {amount}, {status} and the end of the delay, {until}.`,
    default: [
      `# Why it waits

Your withdrawal {ref} goes to a new destination. Such a withdrawal waits, so that you can stop it if it was not you. It can be paid from {until}.

With a second factor turned on in your profile, later withdrawals to new destinations need no such wait.`,
    ],
  },
  'templates.withdrawalApproved': {
    ...TEMPLATE_LIST,
    ...OF_REQUEST,
    label: 'About an approved withdrawal',
    does: `${OFFERED_TO} has an approved withdrawal that is not paid yet. ${FILLED_IN}`,
    default: [
      `# It is paid next

We have approved your withdrawal {ref} and pay it next. You get a mail when it is paid.`,
    ],
  },
  'templates.withdrawalDecided': {
    ...TEMPLATE_LIST,
    ...OF_REQUEST,
    label: 'About a decided withdrawal',
    does: `${OFFERED_TO} has a withdrawal that was paid, rejected, cancelled or reversed in the last 30 days. ${FILLED_IN}`,
    default: [
      `# What was decided

Your withdrawal {ref} is {status}. Your transaction history shows when, and our message about it if there is one.`,
    ],
  },
  'templates.identityPending': {
    ...TEMPLATE_LIST,
    placeholders: ['name', 'ref'],
    label: 'About a document that we check',
    does: `${OFFERED_TO} has an identity document or a proof of address that waits for us. It may name {name} and {ref}.`,
    default: [
      `# We are checking it

Thank you for your message. We have your document {ref} and are checking it. Nothing is missing.

You get a mail with the result. We are sorry if it takes longer than usual.`,
    ],
  },
  'templates.identityRejected': {
    ...TEMPLATE_LIST,
    placeholders: ['name', 'ref'],
    label: 'About a rejected document',
    does: `${OFFERED_TO} has a rejected document and sent no other one. It may name {name} and {ref}.`,
    default: [
      `# What is wrong with it

We could not verify your identity with the document {ref}. Your KYC page shows the reason. Please upload another picture there.

It has to show the whole page, sharp and without reflections, in the name {name}. Please do not send documents by mail.`,
    ],
  },
  'templates.factorLost': {
    ...TEMPLATE_LIST,
    placeholders: ['name'],
    label: 'About a lost second factor',
    does: `${OFFERED_TO} has an open report of a lost second factor. It may name {name}.`,
    default: [
      `# We call before we remove it

We have your report of the lost second factor. To protect your account, we check that it is you before we remove it: we call you on the number of your account.

After that it takes another three days. You can stop the removal until then. You need to do nothing else now.`,
    ],
  },
  'templates.accountLocked': {
    ...TEMPLATE_LIST,
    placeholders: ['name'],
    label: 'About an account that its owner locked',
    does: `${OFFERED_TO} locked the account with the link in a mail. It may name {name}.`,
    default: [
      `# Why it is locked

Your account is locked, because somebody opened the lock link in one of our mails. Nothing can be paid out until we lift the lock.

We call you on the number of your account to make sure that it is you. Two of us then lift the lock.`,
    ],
  },
  'templates.account': {
    ...TEMPLATE_LIST,
    placeholders: ['name'],
    label: 'About an account',
    does: 'Offered for a message from the address of an investor. It may name {name}.',
    default: [
      `# A copy of the data, or its deletion

You can download everything that we store about you in your profile, at any time.

To have your data deleted, close your account there. We keep what the law demands for as long as it demands, and delete the rest by itself.`,
    ],
  },
  'templates.general': {
    ...TEMPLATE_LIST,
    placeholders: ['name'],
    label: 'About anything else',
    does: 'Offered for every message. It may name {name}.',
    default: [
      `# A complaint

We are sorry, and we treat your message as a complaint. A colleague who did not decide your case looks into it and answers you within 15 working days.`,
      `# A lost password

You can choose a new password with “Forgot password” on the sign-in page. The link comes to the e-mail address of your account. It works once.

If you lost your second factor, the sign-in page offers its removal. That takes some days, because it is how we protect your account.`,
      `# A death

We are sorry for your loss. Please send us the death certificate and the certificate of inheritance.

Until we have both, we may not say whether a person has an account with us.`,
      `# A request of an authority

Please send us the order in writing, with a telephone number of your authority. We call back on a number that we look up ourselves, and answer what the order names.`,
      `# How to begin

Opening an account costs nothing. Sign up with your name and e-mail address, verify your identity, and make a deposit. The Fees page lists what we charge, and the Risks page what can go wrong.`,
      `# Everything is answered

We believe that everything in your message is answered, so we close it. If something is left, just write again: your message is then reopened.`,
    ],
  },
  'templates.depositQuestion': {
    ...TEMPLATE_LIST,
    placeholders: ['name', 'ref', 'amount'],
    label: 'Asking about a deposit',
    does: `${OFFERED_TO_ASK} a deposit. It may name {name}, {ref} and {amount}.`,
    default: [
      `# No payment found

We could not find this payment yet. Please send us the transaction id, which your wallet or the exchange that you paid from shows.`,
      `# Where the money is from

Please tell us from where you sent this payment, and for what the money was before. A bank statement or an invoice helps us.`,
    ],
  },
  'templates.withdrawalQuestion': {
    ...TEMPLATE_LIST,
    placeholders: ['name', 'ref', 'amount'],
    label: 'Asking about a withdrawal',
    does: `${OFFERED_TO_ASK} a withdrawal. It may name {name}, {ref} and {amount}.`,
    default: [
      `# Whose destination it is

Please tell us whose destination this is, and where you have its address from.`,
      `# Whether it was requested

Please confirm that you requested this withdrawal yourself. If you did not, choose a new password now and tell us.`,
    ],
  },
  'templates.identityQuestion': {
    ...TEMPLATE_LIST,
    placeholders: ['name', 'ref'],
    label: 'Asking about a document or a lost second factor',
    does: `${OFFERED_TO_ASK} a document or a lost second factor. It may name {name} and {ref}.`,
    default: [
      `# When to call

Please tell us when we can call you on the number of your account.`,
    ],
  },
} as const satisfies Readonly<Record<string, SettingFacts>>

export type SettingKey = keyof typeof SETTINGS

type KindOf<Group extends string> = SettingKey extends infer Key
  ? Key extends `${Group}.${infer Kind}`
    ? Kind
    : never
  : never

/** Which list of reasons a decision offers. */
export type ReasonKind = KindOf<'reasons'>
/** The state of a message in which a list of templates is offered. */
export type TemplateKind = KindOf<'templates'>

export const SETTING_KEYS = Object.keys(SETTINGS) as readonly SettingKey[]

/** Whether a change of it takes a reason: it moves what one operator, or a day, may decide. */
export function needsReason(key: SettingKey): boolean {
  const { group } = getSettingFacts(key)
  return group === 'Limits' || group === 'Daily ceilings'
}

/** The facts of a setting, with the general type for loops. */
export function getSettingFacts(key: SettingKey): SettingFacts {
  return SETTINGS[key]
}
