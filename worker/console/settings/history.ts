import { sql } from 'drizzle-orm'
import { SETTING_KEYS, type SettingKey } from '../../../src/contract/console/settingList.ts'
import type * as contract from '../../../src/contract/console/settings.ts'
import { getSettingRow, listKeys } from '../../../src/contract/console/settingValues.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { buildQuery, parseStored, type RowQuery, readTogether } from '../../lib/database.ts'
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

interface LastChange {
  readonly subject: string
  readonly at: number
  readonly by: string
  readonly byName: string | null
  readonly proposal: string | null
  readonly proposedBy: string | null
  readonly proposedByName: string | null
}

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
function readLastChanges(): RowQuery<LastChange> {
  const subjects = JSON.stringify([...new Set([...SETTING_KEYS, ...SETTING_KEYS.map(getSettingRow)])])
  return buildQuery(sql`
    SELECT l.subject, l.at, l.actor AS "by", a.display_name AS byName, p.id AS proposal,
           p.proposed_by AS proposedBy, b.display_name AS proposedByName
    FROM json_each(${subjects}) k
    JOIN audit_log l ON l.seq = (
      SELECT seq FROM audit_log WHERE subject = k.value AND action = 'settings.changed' ORDER BY seq DESC LIMIT 1)
    LEFT JOIN users a ON a.id = l.actor
    LEFT JOIN proposals p ON p.id = json_extract(l.detail, '$.proposal')
    LEFT JOIN users b ON b.id = p.proposed_by`)
}

export async function showSettings(call: CallOf<typeof contract.getSettings>) {
  const [rows] = await readTogether(call.db, readSettings())
  return ok(toSettings(parseStoredSettings(rows)))
}
