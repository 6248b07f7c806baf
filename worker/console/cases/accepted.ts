import { type SQL, sql } from 'drizzle-orm'
import type { CaseStep } from '../../../src/contract/console/cases.ts'
import { parseSteps } from '../../http/steps.ts'

/** The field `accepted` of a case with this id, for `withAccepted`: who decided it despite a high risk, and why. */
export function selectAccepted(caseId: SQL): SQL<string> {
  return sql`(
    SELECT json_group_array(json_object('step', 'accepted', 'at', a.at, 'id', a.actor,
      'name', (SELECT display_name FROM users WHERE id = a.actor),
      'note', (SELECT substr(n.text, instr(n.text, ': ') + 2) FROM investor_notes n WHERE n.id = json_extract(a.detail, '$.note'))))
    FROM audit_log a INDEXED BY audit_log_accepted WHERE a.action = 'risk.accepted' AND a.subject = ${caseId})`
}

/** The steps of a case with those. */
export function withAccepted(
  steps: readonly CaseStep[],
  { accepted }: { readonly accepted: string },
): CaseStep[] {
  const reasons = parseSteps(accepted)
  return reasons.length === 0
    ? [...steps]
    : [...reasons, ...steps].toSorted((a, b) => a.at.localeCompare(b.at))
}
