import { seedWhenEmpty } from '../../worker/dev/seed/seed.ts'
import type { Env } from '../../worker/lib/env.ts'
import { newInvestor, type Person } from '../support/people.ts'

const AVAILABLE_CENTS = 1_000_000
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

/** An investor, with the second factor's secret. */
export type BenchPerson = Pick<Person, 'email' | 'password' | 'token'> & { readonly secret: string }

/** Adds the sample data if there is none, and then investors who have money, a second factor and a session. */
export async function addPeople(env: Env, count: number, nowMs: number): Promise<BenchPerson[]> {
  await seedWhenEmpty(env, nowMs)
  const { results } = await env.DB.prepare(
    "SELECT id FROM users WHERE email LIKE 'operator%@example.com' ORDER BY email",
  ).all<{ id: string }>()
  const [first, second] = results.map(({ id }) => id)
  if (first === undefined || second === undefined) throw new Error('There are no operators')
  const people: BenchPerson[] = []
  for (let n = 0; n < count; n++) {
    const { email, password, token } = await newInvestor({
      totpSecret: SECRET,
      availableCents: AVAILABLE_CENTS,
      operators: [first, second],
    })
    people.push({ email, password, token, secret: SECRET })
  }
  return people
}
