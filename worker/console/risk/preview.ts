import { sql } from 'drizzle-orm'
import type { SettingKey } from '../../../src/contract/console/settingList.ts'
import {
  EFFECT_CHANGES,
  EFFECT_DAYS,
  MOST_EFFECT_CASES,
  MOST_EFFECT_DECISIONS,
  type previewSettings as preview,
  type SettingEffect,
} from '../../../src/contract/console/settings.ts'
import { listKeys } from '../../../src/contract/console/settingValues.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { NO_ROWS, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { getEffectiveSetting, parseStoredSettings, readSettings } from '../../platform/settings/values.ts'
import type { RequestQueue } from '../cases/requests.ts'
import { readRiskFacts } from './facts.ts'
import { deriveRisk, type RiskFacts } from './rules.ts'

const MOST_LINKS = 10
const QUEUES = ['withdrawals', 'deposits'] as const

/** Which decisions count together towards a limit within 24 hours; null for a decision that it does not apply to. */
type Limit = (decision: Decision) => string | null

const LIMITS: Partial<Readonly<Record<SettingKey, readonly (readonly [RequestQueue, Limit])[]>>> = {
  // A proved deposit has a limit of its own.
  twoPersonLimit: [
    ['withdrawals', ({ investor, actor }) => `${investor} ${actor}`],
    ['deposits', ({ investor, actor, isProved }) => (isProved === 1 ? null : `${investor} ${actor}`)],
  ],
  automaticCredit: [['deposits', ({ investor, isProved }) => (isProved === 1 ? investor : null)]],
  'dailyCeilings.creditsAlone': [['deposits', ({ actor, isProved }) => (isProved === 1 ? null : actor)]],
  'dailyCeilings.payoutsAlone': [['withdrawals', ({ actor }) => actor]],
  'dailyCeilings.credits': [['deposits', () => '']],
  'dailyCeilings.payouts': [['withdrawals', () => '']],
}

/** Answers the effect that changes of settings would have had, so that two administrators see it before they agree. One round trip. */
export async function previewSettings({ body, ...given }: CallOf<typeof preview>) {
  const { settings, until } = body
  // The second administrator sees the figures that the first one saw.
  const call = { ...given, nowMs: Math.min(until ?? given.nowMs, given.nowMs) }
  const keys = listKeys(settings)
  const weight = keys.find((key) => key.startsWith('risk.'))
  const [rows, decisions, ...cases] = await readTogether(
    call.db,
    readSettings(),
    keys.some((key) => key in LIMITS) ? readDecisions(call) : NO_ROWS,
    ...QUEUES.map((queue) => (weight === undefined ? NO_ROWS : readCases(queue, call))),
  )
  const stored = parseStoredSettings(rows)
  const limits = keys.flatMap((key) =>
    (LIMITS[key] ?? []).map(([queue, limit]) => {
      const judged = decisions
        .slice(0, MOST_EFFECT_DECISIONS)
        .filter((decision) => decision.queue === queue && limit(decision) !== null)
      const [before, after] = [stored, settings].map((values) =>
        findAbove(judged, limit, Number(getEffectiveSetting(values, key))),
      )
      const hits = judged.map((row) => ({ ...row, before: before?.has(row), after: after?.has(row) }))
      return describeEffect(key, queue, decisions.length <= MOST_EFFECT_DECISIONS, hits, call.nowMs)
    }),
  )
  const weighed = { risk: { ...stored.risk, ...settings.risk } }
  const weights = (weight === undefined ? [] : QUEUES).map((queue, place) => {
    const found = ((cases[place] ?? []) as readonly RiskFacts[]).toSorted(compareNewestFirst)
    const hits = found.slice(0, MOST_EFFECT_CASES).map((row) => {
      const [before, after] = [stored, weighed].map((values) => deriveRisk(queue, row, values).level)
      const isHigh = { before: before === 'high', after: after === 'high' }
      return { id: row.id, ref: row.ref ?? '', at: row.filedAt, ...isHigh, isChanged: before !== after }
    })
    return describeEffect(
      weight ?? 'risk.highFrom',
      queue,
      found.length <= MOST_EFFECT_CASES,
      hits,
      call.nowMs,
    )
  })
  return ok([...limits, ...weights])
}

/** A decision or case, and whether the limit applied to it, or its risk was high. */
interface Hit {
  readonly id: string
  readonly ref: string
  readonly at: number
  readonly before: boolean | undefined
  readonly after: boolean | undefined
  readonly isChanged?: boolean
}

function describeEffect(
  setting: SettingKey,
  of: RequestQueue,
  isWhole: boolean,
  hits: readonly Hit[],
  nowMs: number,
): SettingEffect {
  const changes = hits.map((hit) => ({ ...hit, change: findChange(hit) }))
  const changed = changes.filter(({ change }) => change !== null && change !== 'same')
  const startMs = nowMs - EFFECT_DAYS * DAY_MS
  return {
    ...{ setting, of, isWhole },
    total: hits.length,
    before: hits.filter(({ before }) => before).length,
    after: hits.filter(({ after }) => after).length,
    changed: changed.length,
    cases: EFFECT_CHANGES.flatMap((change) =>
      changes
        .filter((hit) => hit.change === change)
        .slice(0, MOST_LINKS)
        .map(({ id, ref }) => ({ _id: id, ref, change })),
    ),
    from: toIso(isWhole ? startMs : Math.min(...hits.map(({ at }) => at), nowMs)),
    to: toIso(nowMs),
  }
}

/** How a change of the settings decides about a case; null if it has no effect before or after. */
function findChange({ before, after, isChanged }: Hit): SettingEffect['cases'][number]['change'] | null {
  if (before !== after) return after ? 'added' : 'removed'
  if (isChanged) return 'level'
  return after ? 'same' : null
}

function compareNewestFirst(first: RiskFacts, second: RiskFacts): number {
  return second.filedAt - first.filedAt || second.seq - first.seq
}

type Decision = RowOf<typeof readDecisions>

/** The newest credits and payouts, one more than are looked at. */
function readDecisions({ nowMs }: Pick<ActorCall, 'nowMs'>) {
  return selectRows({
    id: sql<string>`r.id`,
    ref: sql<string>`r.ref`,
    queue: sql<RequestQueue>`r.queue`,
    investor: sql<string>`e.investor`,
    actor: sql<string>`e.actor`,
    at: sql<number>`e.at`,
    amountCents: sql<number>`e.amount`,
    /** Whether a chain proved the payment of a deposit. */
    isProved: sql<
      0 | 1
    >`EXISTS (SELECT 1 FROM deposit_details d JOIN deposit_addresses a ON a.address = d.payment_to WHERE d.request = r.id)`,
  })
    .from(sql`request_events e INDEXED BY request_events_by_time`)
    .innerJoin(sql`requests r`, sql`r.id = e.request`)
    .where(
      sql`e.at > ${nowMs - EFFECT_DAYS * DAY_MS} AND e.at <= ${nowMs} AND e.amount IS NOT NULL
        AND (e.status = 'completed' OR (e.status = 'approved' AND e.reference_key IS NOT NULL))`,
    )
    .orderBy(sql`e.at DESC`)
    .limit(MOST_EFFECT_DECISIONS + 1)
}

/** The facts of the newest requests, one more than are looked at. */
function readCases(queue: RequestQueue, call: Pick<ActorCall, 'actor' | 'nowMs'>) {
  const since = call.nowMs - EFFECT_DAYS * DAY_MS
  const ids = sql`
    SELECT r.id FROM requests r WHERE r.queue = ${queue} AND r.created_at > ${since} AND r.created_at <= ${call.nowMs}
    ORDER BY r.created_at DESC, r.seq DESC LIMIT ${MOST_EFFECT_CASES + 1}`
  return readRiskFacts(queue, ids, call)
}

/**
 * The decisions, which come newest first, that exceed a limit with the ones within 24 hours before them. A decision above it is not counted,
 * because it takes two operators or waits.
 */
function findAbove(decisions: readonly Decision[], limit: Limit, limitCents: number): ReadonlySet<Decision> {
  const above = new Set<Decision>()
  const groups = new Map<string, { sumCents: number; decisions: Decision[] }>()
  for (const decision of decisions.toReversed()) {
    const key = limit(decision) ?? ''
    const group = groups.get(key) ?? { sumCents: 0, decisions: [] }
    groups.set(key, group)
    while (group.decisions[0] !== undefined && group.decisions[0].at <= decision.at - DAY_MS)
      group.sumCents -= group.decisions.shift()?.amountCents ?? 0
    if (group.sumCents + decision.amountCents > limitCents) above.add(decision)
    else {
      group.sumCents += decision.amountCents
      group.decisions.push(decision)
    }
  }
  return above
}
