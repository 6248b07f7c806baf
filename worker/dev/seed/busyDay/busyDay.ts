import { openDatabase } from '../../../lib/database.ts'
import type { Env } from '../../../lib/env.ts'
import { type AnswerRequest, Desk } from './desk.ts'
import { listIdentityActs } from './identities.ts'
import { listMoneyActs } from './money.ts'
import { listOtherActs } from './others.ts'
import { type BusyPerson, seedBusyPeople } from './people.ts'
import { listTreasuryActs } from './treasury.ts'
import { seedUnknownPayments } from './unknownPayments.ts'

const HOUR_MS = 3_600_000

/** What somebody does, and when: in hours before now. */
export type Act = readonly [hoursAgo: number, act: (atMs: number) => Promise<unknown>]

/**
 * Adds a busy day to a database that has only the ordinary seed. Each act is a call of the API at its own time, so that all rules
 * hold. Returns false without a change if there are other people.
 */
export async function seedBusyDay(env: Env, answer: AnswerRequest, nowMs: number): Promise<boolean> {
  const operators = await readOperators(env)
  if (operators === null) return false
  const db = openDatabase(env.DB)
  const people = new Map([...operators, ...(await seedBusyPeople(env, db, nowMs))])
  const desk = new Desk(env, db, answer, people)
  const acts = [
    ...listIdentityActs(desk),
    ...listMoneyActs(desk),
    ...listOtherActs(desk),
    ...listTreasuryActs(desk),
  ]
  for (const [hoursAgo, act] of acts.toSorted(([first], [second]) => second - first))
    await act(nowMs - hoursAgo * HOUR_MS)
  await seedUnknownPayments(env, desk, nowMs)
  await env.DB.prepare('UPDATE sessions SET ended_at = ?1 WHERE ended_at IS NULL').bind(nowMs).run()
  return true
}

/** The seeded operators by the name in their address. Null if anybody has an address that is not of the ordinary seed or its tests. */
async function readOperators(env: Env): Promise<ReadonlyMap<string, BusyPerson> | null> {
  const { results } = await env.DB.prepare(
    "SELECT id, display_name AS name, email, role FROM users WHERE id NOT IN ('system', 'practice')",
  ).all<{ id: string; name: string; email: string; role: string }>()
  if (results.some(({ email }) => !email.endsWith('@example.com'))) return null
  return new Map(
    results
      .filter(({ role }) => role === 'operator')
      .map(({ id, name, email }) => [
        email.split('@')[0] ?? '',
        { id, name, email, deviceHash: null, ip: '198.51.100.1' },
      ]),
  )
}
