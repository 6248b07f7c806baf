import { env } from 'cloudflare:workers'
import type { Plan, PlanDetail, PlanSaved } from '../../src/contract/investing/plans.ts'
import { DAY_MS } from '../../src/time.ts'
import { runPlans } from '../../worker/investing/plans/run.ts'
import { openDatabase } from '../../worker/lib/database.ts'
import { changeAddress, GOOD_ADDRESS, mailedCode } from './filing.ts'
import { type AnyBody, call, type Reply } from './http.ts'

type PlanOwner = { readonly token: string; readonly email: string }

/** Three days from now: the first date of most plans in tests, at 9:00 UTC. */
export const FIRST_ON = new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 10)
export const FIRST_AT = Date.parse(FIRST_ON) + 9 * 3_600_000
export const SCHEDULE = { rhythm: 'weekly', starts: FIRST_ON, zone: 'UTC' } as const

/** Makes a plan, with the mailed code if a proof is requested. */
export async function makePlan(
  person: PlanOwner,
  fields: Readonly<Record<string, unknown>>,
): Promise<Reply<PlanSaved & AnyBody>> {
  return sendConfirmed(person, 'POST', '/plans', { schedule: SCHEDULE, ...fields })
}

/** Sends a change of a plan, with the mailed code if a proof is requested. */
export async function sendConfirmed(
  { token, email }: PlanOwner,
  method: 'POST' | 'PATCH',
  path: string,
  json: Readonly<Record<string, unknown>>,
): Promise<Reply<PlanSaved & AnyBody>> {
  const first = await call<PlanSaved & AnyBody>(method, path, { token, json })
  if (first.body.code !== 'step_up_required') return first
  const code = await mailedCode(email, /^Confirm your recurring plan$/)
  return call<PlanSaved & AnyBody>(method, path, { token, json: { ...json, code } })
}

/** Saves an address in the address book and returns its id. */
export async function saveAddress(person: PlanOwner, address = GOOD_ADDRESS): Promise<string> {
  const label = `Wallet ${address.slice(-6)}`
  return (await changeAddress(person, { label, type: 'bitcoin', network: 'btc', address })).body._id
}

export async function showPlan({ token }: PlanOwner, id: string): Promise<PlanDetail> {
  return (await call<PlanDetail>('GET', `/plans/${id}`, { token })).body
}

export async function listPlans({ token }: PlanOwner): Promise<Plan[]> {
  return (await call<Plan[]>('GET', '/plans', { token })).body
}

/** Runs the cron job of plans at a moment, as often as the plans of other tests take. */
export async function runPlansAt(nowMs: number): Promise<void> {
  for (let minute = 0; minute < 6; minute++) await runPlans(env, openDatabase(env.DB), nowMs)
}
