import type { Chance } from '../lane/chance.ts'
import { Broken } from '../watch.ts'
import type { Investor } from './investor.ts'
import type { Operating } from './operator.ts'

const DAY_MS = 86_400_000
const ZONES = ['UTC', 'Europe/Zurich', 'America/New_York', 'Pacific/Kiritimati'] as const
const STRATEGIES = ['hold-the-index', 'slow-trend', 'strongest-two'] as const
const MOST_PLANS = 3

/** Makes a plan, or pauses, resumes, skips, changes or ends one. */
export async function keepPlans(
  { world, model }: Operating,
  investor: Investor,
  chance: Chance,
): Promise<void> {
  const { client } = investor
  const { status, rows } = await client.get('/plans?limit=50')
  if (status !== 200) return
  const open = rows.filter((plan) => plan.status !== 'ended')
  if (open.length < MOST_PLANS && chance.is(0.5)) {
    const starts = new Date(world.now() + chance.whole(0, 5) * DAY_MS).toISOString().slice(0, 10)
    const isPaying = chance.is(0.4)
    const does = isPaying
      ? await planWithdrawal(investor, chance, model.purse(client.email))
      : planInvestment(chance)
    if (does === null) return
    await confirm(client, 'POST', '/plans', {
      amount: String(chance.whole(20, 400)),
      ...does,
      schedule: { rhythm: chance.pick(['weekly', 'weekly', 'monthly']), starts, zone: chance.pick(ZONES) },
    })
    return
  }
  const [first, ...others] = open
  if (first === undefined) return
  const plan = chance.pick([first, ...others])
  const on = plan.announced?.on ?? plan.next?.[0]?.on
  const act = chance.pick(['pause', 'resume', 'skip', 'change', 'end'])
  if (act === 'change')
    await confirm(client, 'PATCH', `/plans/${plan._id}`, { amount: chance.whole(20, 400) })
  else if (act === 'resume') await confirm(client, 'POST', `/plans/${plan._id}/resume`, {})
  else if (act !== 'skip') await client.post(`/plans/${plan._id}/${act}`, {})
  else if (on !== undefined) await skipTwice(client, plan._id, on)
}

function planInvestment(chance: Chance): object {
  return { kind: chance.pick(['invest', 'invest_above']), strategy: chance.pick(STRATEGIES) }
}

/** To the own saved address, at times redeeming what is missing. Null if the own address is not saved: a thief's may be. */
async function planWithdrawal(
  { client, savings }: Investor,
  chance: Chance,
  { available }: { readonly available: number },
): Promise<object | null> {
  const [book, positions] = [await client.get('/users/addresses?limit=50'), await client.get('/allocations')]
  const saved = book.rows.find(({ address }) => address === savings)
  if (saved === undefined) return null
  const owned = positions.rows.filter(({ units }) => units > 0)
  const source = owned[chance.whole(0, owned.length)]
  const plan = { kind: 'withdraw', address: saved._id }
  if (source === undefined) return plan
  // More than is available, or nothing would be missing.
  const amount = Math.max(0, Math.floor(available / 100)) + chance.whole(20, 200)
  return { ...plan, amount: String(amount), redeemFrom: source.strategy }
}

/** Sends it again with the proof that it takes, from the app or the mailbox. */
async function confirm(client: Investor['client'], method: 'POST' | 'PATCH', path: string, json: object) {
  const { body } = await client.send(method, path, { json })
  if (body.code !== 'step_up_required') return
  const code =
    client.secret === null
      ? /\b\d{6}\b/.exec(client.mail(/^Confirm your recurring plan$/) ?? '')?.[0]
      : client.code()
  if (code !== undefined) await client.send(method, path, { json: { ...json, code } })
}

/** Clicks twice on skipping a date: the second click must not skip the next one. */
async function skipTwice(client: Investor['client'], id: string, on: string): Promise<void> {
  const first = await client.post(`/plans/${id}/skip`, { on })
  const second = await client.post(`/plans/${id}/skip`, { on })
  if (first.status === 200 && second.status === 200)
    throw new Broken('datesOfPlansRunOnce', `${id} skipped ${on} twice`)
}

/** Ends all plans, before all money is taken out. */
export async function endPlans({ client }: Investor): Promise<void> {
  const { rows } = await client.get('/plans?limit=50')
  for (const { _id, status } of rows) if (status !== 'ended') await client.post(`/plans/${_id}/end`)
}
