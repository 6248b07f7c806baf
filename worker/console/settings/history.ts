import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { SETTING_KEYS, type SettingKey } from '../../../src/contract/console/settingList.ts'
import type * as contract from '../../../src/contract/console/settings.ts'
import { getSettingRow, listKeys } from '../../../src/contract/console/settingValues.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { parseStored, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { proposals } from '../../lib/tables/operators.ts'
import { users } from '../../lib/tables/people.ts'
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
      last: findLastChange(setting, last),
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
function findLastChange(
  setting: SettingKey,
  changes: ReadonlyMap<string, LastChange>,
): contract.SettingHistory['last'] {
  const found = [changes.get(setting), changes.get(getSettingRow(setting))]
    .filter((change) => change !== undefined)
    .sort((a, b) => b.at - a.at)
  const [change] = found
  if (change === undefined) return null
  const { at, by, byName, proposal, proposedBy, proposedByName } = change
  return {
    at: toIso(at),
    by: { _id: by, name: byName ?? by },
    proposedBy: proposedBy === null ? null : { _id: proposedBy, name: proposedByName ?? proposedBy },
    proposal,
  }
}

/** The newest audit line about each setting, found by an index. */
function readLastChanges() {
  const [l, a, p, b] = [alias(auditLog, 'l'), alias(users, 'a'), alias(proposals, 'p'), alias(users, 'b')]
  const subjects = JSON.stringify([...new Set([...SETTING_KEYS, ...SETTING_KEYS.map(getSettingRow)])])
  return selectRows({
    ...{ subject: l.subject, at: l.at, by: l.actor, byName: a.displayName },
    ...{ proposal: p.id, proposedBy: p.proposedBy, proposedByName: b.displayName },
  })
    .from(sql`json_each(${subjects}) k`)
    .innerJoin(
      l,
      sql`l.seq = (
        SELECT seq FROM audit_log WHERE subject = k.value AND action = 'settings.changed' ORDER BY seq DESC LIMIT 1)`,
    )
    .leftJoin(a, eq(a.id, l.actor))
    .leftJoin(p, sql`p.id = json_extract(l.detail, '$.proposal')`)
    .leftJoin(b, eq(b.id, p.proposedBy))
}

export async function showSettings(call: CallOf<typeof contract.getSettings>) {
  const [rows] = await readTogether(call.db, readSettings())
  return ok(toSettings(parseStoredSettings(rows)))
}
