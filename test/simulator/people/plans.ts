import type { Chance } from '../lane/chance.ts'
import { Broken } from '../watch.ts'
import type { Investor } from './investor.ts'
import type { Operating } from './operator.ts'

const DAY_MS = 86_400_000
const ZONES = ['UTC', 'Europe/Zurich', 'America/New_York', 'Pacific/Kiritimati'] as const
const STRATEGIES = ['hold-the-index', 'slow-trend', 'strongest-two'] as const
const MOST_PLANS = 3

/** Makes a plan that invests, or pauses, resumes, skips, changes or ends one. */
export async function keepPlans({ world }: Operating, { client }: Investor, chance: Chance): Promise<void> {
  const { status, rows } = await client.get('/plans?limit=50')
  if (status !== 200) return
  const open = rows.filter((plan) => plan.status !== 'ended')
  if (open.length < MOST_PLANS && chance.is(0.5)) {
    const starts = new Date(world.now() + chance.whole(0, 5) * DAY_MS).toISOString().slice(0, 10)
    await client.post('/plans', {
      kind: chance.pick(['invest', 'invest_above']),
      amount: String(chance.whole(20, 400)),
      strategy: chance.pick(STRATEGIES),
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
    await client.send('PATCH', `/plans/${plan._id}`, { json: { amount: chance.whole(20, 400) } })
  else if (act !== 'skip') await client.post(`/plans/${plan._id}/${act}`, {})
  else if (on !== undefined) await skipTwice(client, plan._id, on)
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
