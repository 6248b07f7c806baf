import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { KYC_STATUSES } from '../identity/kyc.ts'
import { operatorDeposit } from './deposits.ts'
import { operatorKyc } from './kyc.ts'
import { contactMessage } from './messages.ts'
import { PROPOSAL_STATUSES, proposal } from './proposals.ts'
import { queuePage, statusList } from './statusList.ts'
import { operatorWithdrawal } from './withdrawals.ts'

// Apart from the decisions about what is listed: a list comes without the schemas of their forms.

export const listDeposits = endpoint({
  method: 'GET',
  path: '/operator/deposits',
  scope: 'operator:deposits.read',
  summary:
    'Deposit requests, newest first; `query` is a part of the investor’s name or e-mail address, a reference or a transaction id; `format=csv` is all of it as a file',
  status: 200,
  query: statusList,
  answer: z.array(operatorDeposit),
  audit: ['deposits.exported'],
})

export const listWithdrawals = endpoint({
  method: 'GET',
  path: '/operator/withdrawals',
  scope: 'operator:withdrawals.read',
  summary:
    'Withdrawal requests of both kinds, newest first; `query` is a part of the investor’s name or e-mail address, a reference, a transaction id or the address paid to; `format=csv` is all of it as a file, without whole account numbers',
  status: 200,
  query: statusList,
  answer: z.array(operatorWithdrawal),
  audit: ['withdrawals.exported'],
})

const kycStatusFilter = z.optional(
  z.enum([...KYC_STATUSES, ''], { error: 'status is one of pending, approved, rejected' }),
)

export const listKycQueue = endpoint({
  method: 'GET',
  path: '/operator/kyc',
  scope: 'operator:kyc.read',
  summary:
    'Identity documents submitted, newest first; `query` is a part of the investor’s name or e-mail address, or a reference; `outdated=true` is what is sealed to other keys than today’s; `format=csv` is all of it as a file, without documents',
  status: 200,
  query: z.object({
    ...queuePage,
    status: kycStatusFilter,
    outdated: z.optional(z.enum(['true', ''], { error: 'outdated is true, or left out' })),
  }),
  answer: z.array(operatorKyc),
  audit: ['kyc.exported'],
})

export const listMessages = endpoint({
  method: 'GET',
  path: '/operator/messages',
  scope: 'operator:messages.read',
  summary:
    'Contact messages, newest first; `query` is a part of the sender’s name or e-mail address; `format=csv` is all of it as a file',
  status: 200,
  query: z.object({
    ...queuePage,
    status: z.optional(z.enum(['open', 'closed', ''], { error: 'status is open or closed' })),
  }),
  answer: z.array(contactMessage),
  audit: ['messages.exported'],
})

export const listProposals = endpoint({
  method: 'GET',
  path: '/operator/proposals',
  scope: 'operator:proposals.read',
  summary:
    'What one operator may not do alone, newest first; `query` is a part of a name or e-mail address in it, or the reference of what it reverses; `format=csv` is all of it as a file',
  status: 200,
  query: z.object({
    ...queuePage,
    status: z.optional(
      z.enum([...PROPOSAL_STATUSES, ''], { error: 'status is one of pending, approved, rejected' }),
    ),
  }),
  answer: z.array(proposal),
  audit: ['proposals.exported'],
})
