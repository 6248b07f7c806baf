import type { ActorCall } from '../../http/call.ts'
import { listFile } from '../../http/csv.ts'
import { iso, type Position } from '../../http/paging.ts'
import type { AuditRow } from '../../platform/audit/chain.ts'

/**
 * The audit log as CSV, newest first, with everything that its seal is made of. `read` gives so many rows before a
 * position.
 */
export function auditFile(
  call: ActorCall,
  read: (below: Position | null, rows: number) => Promise<readonly AuditRow[]>,
): Response {
  return listFile(call, 'audit-log', {
    header: ['Number', 'Id', 'Time (UTC)', 'Actor', 'Action', 'Subject', 'Detail'],
    read,
    fields: ({ seq, id, at, actor, action, subject, detail }) => [
      String(seq),
      id,
      iso(at),
      actor,
      action,
      subject,
      detail,
    ],
    positionOf: ({ at, seq }) => ({ at, seq }),
  })
}
