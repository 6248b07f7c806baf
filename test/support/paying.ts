import type { OperatorPayout } from '../../src/contract/console/payouts.ts'
import type { ProvedNetwork } from '../../src/contract/money/payments.ts'
import { createApp } from '../../worker/app.ts'
import { followPayouts } from '../../worker/chains/payouts/follow.ts'
import { countReserves } from '../../worker/chains/reserves/count.ts'
import { formatIsoDay } from '../../worker/lib/days.ts'
import { routes } from '../../worker/routes.ts'
import { fileChainWithdrawal, openCodeSession } from './chainPeople.ts'
import { type Observing, observe, type Settings } from './observing.ts'

/** The platform beside real nodes, with two operators who pay withdrawals through the API: `approver` and `payer`. */
export interface Paying extends Observing {
  /** Calls the API as an operator or an investor. */
  callAs(person: string, method: 'GET' | 'POST', path: string, body?: object | FormData): Promise<Answer>
  /** Files a withdrawal to an address, and has it approved by the first operator. Returns its id. */
  approved(investor: string, network: ProvedNetwork, address: string, cents: number): Promise<string>
  /** Calls the API as the second operator. */
  pay(method: 'GET' | 'POST', path: string, json?: object): Promise<Answer>
  /** Runs the jobs of payments and of payouts once each, a minute later. */
  work(): Promise<void>
  payout(id: string): Promise<OperatorPayout>
  /** Counts the reserves of the day, and returns them by asset. */
  reserves(): Promise<Record<string, Reserve>>
}

interface Reserve {
  readonly asset: string
  readonly height: number
  readonly units: number
  readonly booked: number
  readonly stops: 0 | 1
}

interface Answer {
  readonly status: number
  readonly body: OperatorPayout & { readonly msg: string; readonly code: string }
}

export async function startPaying(settings: Settings): Promise<Paying> {
  const platform = await observe(settings)
  const { env, db } = platform
  const app = createApp(routes)
  const tokens = new Map<string, string>()
  for (const id of ['approver', 'payer']) await addOperator(id)
  const pay: Paying['pay'] = (method, path, json) => callAs('payer', method, path, json)
  return {
    ...platform,
    callAs,
    pay,
    approved: async (investor, network, address, cents) => {
      const id = crypto.randomUUID()
      await fileChainWithdrawal(db, platform.now(), { id, investor, network, address, cents })
      const reply = await callAs('approver', 'POST', `/operator/withdrawals/${id}/approve`, {
        riskReason: 'Called back, all is in order',
      })
      if (reply.status !== 200) throw new Error(`The withdrawal was not approved: ${reply.body.msg}`)
      return id
    },
    work: async () => {
      await platform.tick()
      await followPayouts(env, db, platform.now())
    },
    reserves: async () => {
      // The first run names the block.
      for (let run = 0; run < 2; run++) await countReserves(env, db, platform.now())
      const rows = await platform.rows<Reserve>(
        'SELECT asset, height, units, booked, stops_payouts AS stops FROM reserves WHERE day = ?',
        formatIsoDay(platform.now()),
      )
      return Object.fromEntries(rows.map((row) => [row.asset, row]))
    },
    payout: async (id) => (await pay('GET', `/operator/payouts/${id}`)).body,
  }

  async function addOperator(id: string): Promise<void> {
    const nowMs = platform.now()
    await platform.rows(
      `INSERT INTO users (id, role, operator_roles, email, fullname, display_name, phone, country, password_hash, email_verified_at, created_at, referral_code)
       VALUES (?1, 'operator', 'reviewer treasurer', ?1 || '@example.com', ?1, ?1, '', '', '-', ?2, ?2, ?1)`,
      id,
      nowMs,
    )
    await openSession(id, true)
  }

  async function openSession(id: string, isOperator: boolean): Promise<string> {
    const token = await openCodeSession(db, env.VAULT_KEYS, id, { nowMs: platform.now(), isOperator })
    tokens.set(id, token)
    return token
  }

  async function callAs(
    person: string,
    method: string,
    path: string,
    body?: object | FormData,
  ): Promise<Answer> {
    const token = tokens.get(person) ?? (await openSession(person, false))
    const isForm = body instanceof FormData
    const request = new Request(`http://localhost:8787/api/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(!isForm && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    // The test's clock runs through hours, and nobody shows a code meanwhile.
    await platform.rows('UPDATE sessions SET factor_at = ?', platform.now())
    const deferred: Promise<unknown>[] = []
    const context = {
      waitUntil: (work: Promise<unknown>) => deferred.push(work),
      passThroughOnException: () => {},
      props: {},
    }
    const response = await app.fetch(request, env, context as unknown as ExecutionContext)
    await Promise.all(deferred)
    return { status: response.status, body: (await response.json()) as Answer['body'] }
  }
}
