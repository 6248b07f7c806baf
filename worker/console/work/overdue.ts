import { sql } from 'drizzle-orm'
import { MOST_COUNTED } from '../../../src/contract/console/overview.ts'
import { getWorkKind, WORK_KIND_NAMES, type WorkKind } from '../../../src/contract/console/work.ts'
import { mailDateText } from '../../../src/contract/dates.ts'
import { DAY_MS } from '../../../src/time.ts'
import { hasScope } from '../../http/scopes.ts'
import { type Database, type RowOf, readTogether, runBatch, selectRows } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { buildLink, composeMail } from '../../lib/mail/compose.ts'
import { enqueueMails } from '../../lib/mail/outbox.ts'
import { selectTargetHours } from '../cases/workState.ts'
import { readColleagues } from './assign.ts'
import { quoteKind, selectOldest } from './kinds.ts'

const EVERY_MINUTES = 15
/** At most this many cases of each kind in a mail. The next ones are in the next mail. */
const MOST_MAILED = 50
/** A case that still waits after this time is mailed again. */
const KEPT_MS = 90 * DAY_MS

/**
 * The cron job: mails the operators who can do them the cases that became overdue. Each case is mailed once for each time that it waits,
 * which the key of `overdue_mails` enforces in the batch that writes the mails.
 */
export async function mailOverdue(env: Env, db: Database, nowMs: number): Promise<void> {
  if (Math.floor(nowMs / 60_000) % EVERY_MINUTES !== 0) return
  const [operators, ...kinds] = await readTogether(
    db,
    readColleagues(),
    ...WORK_KIND_NAMES.map((kind) => readNewlyOverdue(kind, nowMs)),
  )
  const known = kinds
    .flat()
    .filter(({ kind }) => operators.some((operator) => hasScope(operator, getWorkKind(kind).scope)))
  if (known.length === 0) return
  const mails = operators.flatMap((operator) => {
    const theirs = known.filter(({ kind }) => hasScope(operator, getWorkKind(kind).scope))
    return theirs.length === 0 ? [] : [buildMail(env, operator, theirs)]
  })
  const rows = JSON.stringify(known.map(({ kind, id, since }) => [kind, id, since]))
  await runBatch(db, [
    sql`INSERT INTO overdue_mails (kind, case_id, since, at)
      SELECT value ->> 0, value ->> 1, value ->> 2, ${nowMs} FROM json_each(${rows})`,
    sql`DELETE FROM overdue_mails WHERE at < ${nowMs - KEPT_MS}`,
    ...(await enqueueMails(env, mails, nowMs)),
  ])
}

function readNewlyOverdue(kind: WorkKind, nowMs: number) {
  const name = quoteKind(kind)
  return selectRows({ kind: sql<WorkKind>`${name}`, id: sql<string>`o.id`, since: sql<number>`o.created_at` })
    .from(sql`(${selectOldest(kind, MOST_COUNTED)}) o`)
    .where(sql`o.created_at + ${selectTargetHours(name)} * 3600000 <= ${nowMs} AND NOT EXISTS (
      SELECT 1 FROM overdue_mails m WHERE m.kind = ${name} AND m.case_id = o.id AND m.since = o.created_at)`)
    .limit(MOST_MAILED)
}

function buildMail(
  env: Env,
  { email, name }: { readonly email: string; readonly name: string },
  cases: readonly RowOf<typeof readNewlyOverdue>[],
) {
  const lines = [...Map.groupBy(cases, ({ kind }) => kind)].map(([kind, ofKind]) => {
    const oldest = Math.min(...ofKind.map(({ since }) => since))
    return `${getWorkKind(kind).title}: ${ofKind.length}, waiting since ${mailDateText(oldest)}`
  })
  const subject = cases.length === 1 ? 'One case is overdue' : `${cases.length} cases are overdue`
  return composeMail(email, subject, name, [
    lines.join('\n'),
    'Cases that wait longer than their target are red in My work. You get one mail about each.',
    { label: 'Open My work', href: buildLink(env, '/operator') },
  ])
}
