import type { Database } from '../../lib/database.ts'
import type { CheckResult } from './run.ts'

const GB = 1e9
/** The largest database of D1 (https://developers.cloudflare.com/d1/platform/limits/). */
const MOST_GB = 10
const ALARM_GB = 5
/** Growth between two checks, ten minutes apart, that no honest use explains. */
const GROWTH_BYTES = 0.2 * GB

/**
 * Compares the database's size with half of what D1 stores, and with the size at the last check. Sizes are in whole GB, so that a
 * finding is not another one at each check.
 */
export async function checkSize(db: Database, stored: string | null): Promise<CheckResult> {
  const { meta } = await db.$client.prepare('SELECT 1').run()
  const bytes: number = meta.size_after ?? 0
  const findings: string[] = []
  if (bytes >= ALARM_GB * GB)
    findings.push(`The database has ${Math.floor(bytes / GB)} GB, and D1 stores ${MOST_GB} GB at most`)
  if (stored !== null && bytes - Number(stored) >= GROWTH_BYTES)
    findings.push('The database grew by more than 200 MB since the last check')
  return { findings, checkpoint: String(bytes) }
}
