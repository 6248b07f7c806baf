import { env } from 'cloudflare:workers'
import { type InvestorOptions, newInvestor, type Person } from './people.ts'

/** An investor who registered with a referral link. */
export async function invitedBy(
  referrer: { readonly id: string },
  options: InvestorOptions = {},
): Promise<Person> {
  const person = await newInvestor(options)
  await env.DB.prepare('UPDATE users SET referred_by = ? WHERE id = ?').bind(referrer.id, person.id).run()
  return person
}
