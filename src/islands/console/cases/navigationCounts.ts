import {
  listKindsOfPage,
  WORK_KIND_NAMES,
  WORK_KINDS,
  type WorkKind,
} from '../../../contract/console/work.ts'
import { ROLES_OF } from '../../../contract/roles.ts'
import { getSession } from '../../lib/session.ts'
import { $pendingCounts, formatCount } from './pendingCounts.ts'
import { $caseTitle } from './useTabTitle.ts'

const { title } = document

/** The kinds of the open page. On My work, all that the operator's roles can do. */
function listKindsHere(): WorkKind[] {
  const path = location.pathname.replace(/\/$/, '')
  if (path !== '/operator') return listKindsOfPage(path)
  const roles = getSession()?.operator?.roles ?? []
  return WORK_KIND_NAMES.filter((kind) =>
    ROLES_OF[WORK_KINDS[kind].scope].some((role) => roles.includes(role)),
  )
}

// Shows how many cases wait beside each page in the navigation, and for the open page in the tab's title.
$pendingCounts.subscribe((counts) => {
  showTitle()
  if (counts === null) return
  for (const place of document.querySelectorAll<HTMLElement>('[data-waiting]')) {
    const kinds = (place.dataset.waiting ?? '').split(' ') as WorkKind[]
    const count = formatCount(counts, kinds)
    place.hidden = count === '0'
    const figure = place.querySelector('b')
    if (figure) figure.textContent = count
  }
})
$caseTitle.subscribe(showTitle)

function showTitle(): void {
  const counts = $pendingCounts.get()
  const here = counts === null ? '0' : formatCount(counts, listKindsHere())
  const full = [$caseTitle.get(), title].filter(Boolean).join(' | ')
  document.title = here === '0' ? full : `(${here}) ${full}`
}
