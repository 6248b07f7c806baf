import type { OperatorHealth } from '../../../contract/console/health.ts'
import type { Alert } from './alerts.ts'

type Standing = OperatorHealth['strategies'][number]

const LEADS = { href: '/operator/strategies', label: 'Strategies' }

/** What of the strategies needs somebody: late ones, suspended ones, and those that wait for bars, each kind once. */
export function strategyAlerts({ strategies }: Pick<OperatorHealth, 'strategies'>): Alert[] {
  const late = strategies.filter(({ lateSince }) => lateSince !== null)
  const suspended = strategies.filter(({ status }) => status === 'suspended')
  const lacking = strategies.filter(
    ({ lateSince, lackingSince }) => lateSince === null && lackingSince !== null,
  )
  return [
    ...alertOf(late, ({ lateSince }) => lateSince, {
      id: 'strategies late',
      tone: 'danger',
      title: 'Strategies that are late',
      text: late.some(({ lackingSince }) => lackingSince !== null)
        ? 'Daily bars that have closed are missing, and nothing is traded by a hole. Orders of investors wait meanwhile. They go on by themselves, day by day, once the bars are there.'
        : 'The step of a day is not done, and orders of investors wait meanwhile. See whether the cron runs, and what its work “strategies” says.',
    }),
    ...alertOf(suspended, ({ since }) => since, {
      id: 'strategies suspended',
      tone: 'caution',
      title: 'Strategies that are suspended',
      text:
        suspended.length === 1
          ? (suspended[0]?.reason ?? '')
          : 'Each takes no new money until two operators resume it.',
    }),
    ...alertOf(lacking, ({ lackingSince }) => lackingSince, {
      id: 'strategies lacking',
      tone: 'caution',
      title: 'Strategies that wait for daily bars',
      text: 'Bars that have closed are not here yet. They are asked for again by themselves; what they found stands with the strategy.',
    }),
  ]
}

/** One alert for all of a kind, since the first of them; none where there is none. */
function alertOf(
  standing: readonly Standing[],
  sinceOf: (strategy: Standing) => string | null,
  { title, ...words }: Pick<Alert, 'id' | 'tone' | 'title' | 'text'>,
): Alert[] {
  if (standing.length === 0) return []
  const since = standing.flatMap((strategy) => sinceOf(strategy) ?? []).sort()[0]
  return [
    { ...words, title: `${title}: ${standing.map(({ name }) => name).join(', ')}`, since, leads: LEADS },
  ]
}
