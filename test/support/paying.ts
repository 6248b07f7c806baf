import type { OperatorPayout } from '../../src/contract/console/payouts.ts'
import type { ProvedNetwork } from '../../src/contract/money/payments.ts'
import { createApp } from '../../worker/app.ts'
import { followPayouts } from '../../worker/chains/payouts/follow.ts'
import { countReserves } from '../../worker/chains/reserves/count.ts'
import { formatIsoDay } from '../../worker/lib/days.ts'
import { routes } from '../../worker/routes.ts'
import { fileChainWithdrawal, openCodeSession } from './chainPeople.ts'
import { type Observing, observe, type Settings } from './observing.ts'

/** The platform beside real nodes, with two operators who pay withdrawals through the API. */
export interface Paying extends Observing {
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
  const [approver, payer] = [await operator('approver'), await operator('payer')]
  const pay: Paying['pay'] = (method, path, json) => call(payer, method, path, json)
  return {
    ...platform,
    pay,
    approved: async (investor, network, address, cents) => {
      const id = crypto.randomUUID()
      await fileChainWithdrawal(db, platform.now(), { id, investor, network, address, cents })
      const reply = await call(approver, 'POST', `/operator/withdrawals/${id}/approve`, {})
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

  async function operator(id: string): Promise<string> {
    const nowMs = platform.now()
    await platform.rows(
      `INSERT INTO users (id, role, operator_roles, email, fullname, display_name, phone, country, password_hash, email_verified_at, created_at, referral_code)
       VALUES (?1, 'operator', 'treasurer', ?1 || '@example.com', ?1, ?1, '', '', '-', ?2, ?2, ?1)`,
      id,
      nowMs,
    )
    return openCodeSession(db, env.VAULT_KEYS, id, { nowMs, isOperator: true })
  }

  async function call(token: string, method: string, path: string, json?: object): Promise<Answer> {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const request = new Request(`http://localhost:8787/api/v1${path}`, {
      method,
      headers,
      ...(json !== undefined && { body: JSON.stringify(json) }),
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
