import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { CaseStep } from '../../../src/contract/console/cases.ts'
import { SETTING_KEYS, type SettingKey } from '../../../src/contract/console/settingList.ts'
import type * as contract from '../../../src/contract/console/settings.ts'
import { getSettingRow, listKeys } from '../../../src/contract/console/settingValues.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { parseSteps, selectHistory } from '../../http/steps.ts'
import { parseStored, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { proposals } from '../../lib/tables/operators.ts'
import { auditLog } from '../../lib/tables/platform.ts'
import {
  formatEffectiveSetting,
  parseStoredSettings,
  readSettings,
  toSettings,
} from '../../platform/settings/values.ts'
import { settingsPayload } from '../proposals/payloads.ts'
import { readPendingPayloads } from '../proposals/proposal.ts'

/** More pending proposals about settings than operators could ever decide; older ones are in the list of proposals. */
const MOST_PENDING = 100

/** For each setting: its last change with time and operator, and its pending proposal. One round trip. */
export async function settingHistory(call: CallOf<typeof contract.listSettingHistory>) {
  const [changes, proposals] = await readTogether(
    call.db,
    readLastChanges(),
    readPendingPayloads('settings').orderBy(sql`p.seq DESC`).limit(MOST_PENDING),
  )
  const last = new Map(changes.map((change) => [change.subject, change]))
  const pending = proposals.map((row) => ({ ...row, settings: parseStored(settingsPayload, row.payload) }))
  return ok(
    SETTING_KEYS.map((setting) => ({
      setting,
      steps: findLastChange(setting, last),
      pending: pending
        .filter(({ settings }) => listKeys(settings).includes(setting))
        .map(({ id, createdAt, proposedBy, proposedByName, settings }) => ({
          proposal: id,
          at: toIso(createdAt),
          by: { _id: proposedBy, name: proposedByName },
          after: formatEffectiveSetting(settings, setting),
        })),
    })),
  )
}

type LastChange = RowOf<typeof readLastChanges>

// Old log lines name a group where newer ones name the part.
function findLastChange(setting: SettingKey, changes: ReadonlyMap<string, LastChange>): CaseStep[] {
  const [change] = [changes.get(setting), changes.get(getSettingRow(setting))]
    .filter((change) => change !== undefined)
    .sort((a, b) => b.at - a.at)
  return parseSteps(change?.steps ?? null)
}

/** The newest audit line about each setting, found by an index. */
function readLastChanges() {
  const [l, p] = [alias(auditLog, 'l'), alias(proposals, 'p')]
  const subjects = JSON.stringify([...new Set([...SETTING_KEYS, ...SETTING_KEYS.map(getSettingRow)])])
  return selectRows({
    ...{ subject: l.subject, at: l.at },
    steps: selectHistory(
      { step: 'proposed', at: sql`p.created_at`, by: sql`p.proposed_by`, note: sql`p.reason` },
      { step: 'approved', at: sql`l.at`, by: sql`l.actor` },
    ),
  })
    .from(sql`json_each(${subjects}) k`)
    .innerJoin(
      l,
      sql`l.seq = (
        SELECT seq FROM audit_log WHERE subject = k.value AND action = 'settings.changed' ORDER BY seq DESC LIMIT 1)`,
    )
    .leftJoin(p, sql`p.id = json_extract(l.detail, '$.proposal')`)
}

export async function showSettings(call: CallOf<typeof contract.getSettings>) {
  const [rows] = await readTogether(call.db, readSettings())
  return ok(toSettings(parseStoredSettings(rows)))
}
