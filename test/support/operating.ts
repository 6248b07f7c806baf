import { env } from 'cloudflare:workers'
import type { OperatorDeposit } from '../../src/contract/console/deposits.ts'
import type { OperatorKyc } from '../../src/contract/console/kyc.ts'
import type { Proposal } from '../../src/contract/console/proposals.ts'
import type { OperatorWithdrawal } from '../../src/contract/console/withdrawals.ts'
import { fileDeposit, withdraw } from './filing.ts'
import { letHoldPass } from './hold.ts'
import { type AnyBody, call, type Reply, send } from './http.ts'
import { readIdentityData } from './identityData.ts'
import { newTxid } from './ledger/txid.ts'
import { freshCode, type Operator } from './people.ts'

interface Person {
  readonly token: string
}

/** The operator who decides, from `newOperator`. */
type By = Person & Partial<Pick<Operator, 'id' | 'secret'>>

type Fields = Readonly<Record<string, unknown>>

/** The answer of a call: the row, or a refusal. */
export type Decided<Row> = Reply<Row & AnyBody>

/** Calls the API as somebody, with JSON where there is a body. */
export function as<Row = AnyBody>(person: Person, method: string, path: string, json?: unknown) {
  return call<Row & AnyBody>(method, path, { token: person.token, ...(json !== undefined && { json }) })
}

/** Makes a call that decides. If the amount needs a bound factor, repeats it with a code. */
async function decide<Row>(by: By, path: string, json?: Fields) {
  const reply = await as<Row>(by, 'POST', path, json)
  if (reply.body?.reasons?.[0] !== 'bound_factor' || by.id === undefined || !by.secret) return reply
  const code = await freshCode({ id: by.id, secret: by.secret })
  return as<Row>(by, 'POST', path, { ...json, code })
}

/** The people of tests send the same pictures and are new, so the risk of their cases may be high. */
const RISK_REASON = 'Called back, all is in order'

/** Files a deposit and returns its id. */
export async function deposit(person: Person, amount: string, fields: Record<string, string> = {}) {
  const reply = await fileDeposit(person, { amount, ...fields })
  if (reply.status !== 201) throw new Error(`The deposit was not filed: ${reply.body.msg}`)
  return reply.body._id
}

/** Files a withdrawal with the requested code, skips the delay of its new destination, and returns its id. */
export async function withdrawal(
  person: Person & { readonly email: string },
  amount: string,
  path: '/withdrawals' | '/withdrawals/online-service' = '/withdrawals',
  fields: Fields = {},
) {
  const reply = await withdraw(person, { amount, ...fields }, path)
  if (reply.status !== 201) throw new Error(`The withdrawal was not filed: ${reply.body.msg}`)
  await letHoldPass(reply.body._id)
  return reply.body._id
}

/** Credits a deposit, by default under its own reference and with the quantity that the amount buys. */
export async function approveDeposit(
  by: By,
  id: string,
  fields: Fields = {},
): Promise<Decided<OperatorDeposit>> {
  const { body } = await as<OperatorDeposit>(by, 'GET', `/operator/deposits/${id}`)
  const amount = Number(fields.amount ?? body?.firstApproval?.amount ?? body?.asked)
  const quantity = body?.creditPrice ? (amount / body.creditPrice).toFixed(8) : undefined
  return decide(by, `/operator/deposits/${id}/approve`, {
    ...{ reference: newTxid(), quantity, riskReason: RISK_REASON },
    ...fields,
  })
}

/** Opens the identity document with this id, as its decision requires. */
export async function openDocument(by: Person, id: string | null | undefined): Promise<void> {
  const { status } = await send('GET', `/operator/kyc/${id}/document`, { token: by.token })
  if (status !== 200) throw new Error(`The document was not shown: ${status}`)
}

/** Approves the identity document with this id, after a view that is recorded by SQL, because documents of `newInvestor` have no file. */
export async function approveIdentity(
  by: By & Pick<Operator, 'id'>,
  id: string | null | undefined,
  fields: Fields = {},
): Promise<Decided<OperatorKyc>> {
  await env.DB.prepare(
    'INSERT INTO kyc_looks (submission_id, reviewer, at) SELECT id, ?2, max(?3, created_at) FROM kyc_submissions WHERE id = ?1',
  )
    .bind(id ?? '', by.id, Date.now())
    .run()
  return decide(by, `/operator/kyc/${id}/approve`, {
    ...readIdentityData(String(id)),
    ...{ riskReason: RISK_REASON, ...fields },
  })
}

export function approveWithdrawal(
  by: By,
  id: string,
  fields: Fields = {},
): Promise<Decided<OperatorWithdrawal>> {
  return decide(by, `/operator/withdrawals/${id}/approve`, { riskReason: RISK_REASON, ...fields })
}

/** Records a payment, by default under its own reference and of the quantity that the case says. */
export async function completeWithdrawal(
  by: By,
  id: string,
  fields: Fields = {},
): Promise<Decided<OperatorWithdrawal>> {
  const { body } = await as<OperatorWithdrawal>(by, 'GET', `/operator/withdrawals/${id}`)
  const sent = {
    ...{ reference: newTxid(), quantity: body?.toSend?.quantity, riskReason: RISK_REASON },
    ...fields,
  }
  return decide(by, `/operator/withdrawals/${id}/complete`, sent)
}

export function propose(by: By, json: Fields): Promise<Decided<Proposal>> {
  return decide(by, '/operator/proposals', json)
}

export function approveProposal(by: By, id: string): Promise<Decided<Proposal>> {
  return decide(by, `/operator/proposals/${id}/approve`, {
    reason: 'Compared by me',
    riskReason: 'Called back, all is in order',
  })
}

/** The number of answers by status. */
export function statuses(replies: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
