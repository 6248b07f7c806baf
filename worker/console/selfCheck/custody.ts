import { sql } from 'drizzle-orm'
import { type Read, reading } from '../../lib/database.ts'

/** Custody as it was found right: up to an entry, units by asset as text, since they pass what a number holds. */
export interface VerifiedCustody {
  readonly entry: number
  readonly units: Readonly<Record<string, string>>
}

export const NO_CUSTODY: VerifiedCustody = { entry: 0, units: {} }

export interface CustodyRow {
  readonly asset: string
  readonly balance: string | null
  readonly since: string
  readonly newest: number
  readonly entries: number
}

/** Each asset's balance beside what its entries since the last right state add up to. */
export function readCustody({ entry }: VerifiedCustody): Read<CustodyRow> {
  return reading(sql`
    SELECT a.asset, CAST(b.balance AS TEXT) AS balance,
      (SELECT coalesce(max(seq), 0) FROM custody_entries) AS newest,
      (SELECT count(*) FROM custody_entries WHERE seq > ${entry}) AS entries,
      CAST((SELECT coalesce(sum(quantity), 0) FROM custody_entries e WHERE e.asset = a.asset AND e.seq > ${entry}) AS TEXT) AS since
    FROM custody_assets a LEFT JOIN custody_balances b ON b.asset = a.asset`)
}

/** Compares them; gives what is now known to be right. */
export function compareCustody(
  verified: VerifiedCustody,
  rows: readonly CustodyRow[],
): { findings: string[]; verified: VerifiedCustody } {
  const findings: string[] = []
  const units: Record<string, string> = {}
  for (const { asset, balance, since } of rows) {
    const expected = (BigInt(verified.units[asset] ?? '0') + BigInt(since)).toString()
    if (balance !== expected) findings.push(`Custody of ${asset} is ${balance}, its entries say ${expected}`)
    units[asset] = expected
  }
  const newest = rows[0]?.newest ?? 0
  if (rows.some(({ entries }) => entries !== newest - verified.entry))
    findings.push('Custody entries are missing')
  return { findings, verified: { entry: newest, units } }
}
