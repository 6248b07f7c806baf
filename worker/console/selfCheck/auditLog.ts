import type { Broken } from '../../../src/contract/console/audit.ts'
import type { Database } from '../../lib/database.ts'
import { verifyPage } from '../../platform/audit/verify.ts'
import type { Checked } from './run.ts'

const MOST_FINDINGS = 10

/** Where the scan is: after a line of the log. */
interface Scan {
  readonly after: number
  readonly findings: readonly string[]
}

/** Compares the audit log with its seals, some 10,000 lines a run. The checkpoint is empty once it is through. */
export async function checkAuditLog(db: Database, stored: string | null): Promise<Checked> {
  const scan: Scan =
    stored === null || stored === '' ? { after: 0, findings: [] } : (JSON.parse(stored) as Scan)
  const { broken, checkedTo, complete } = await verifyPage(db, scan.after)
  const findings = [...scan.findings, ...broken.map(sentenceOn)].slice(0, MOST_FINDINGS)
  return { findings, checkpoint: complete ? '' : JSON.stringify({ after: checkedTo, findings }) }
}

function sentenceOn({ seq, why }: Broken): string {
  switch (why) {
    case 'seal':
      return `The seal of the audit log from line ${seq} on was changed, or the one before it is gone`
    case 'block':
      return `A line of the audit log's block from line ${seq} on was changed`
    default:
      return `Line ${seq} of the audit log was ${why}`
  }
}
