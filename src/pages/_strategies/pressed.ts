import { checkRecord } from './checkRecord.ts'
import { exploreChart } from './exploreChart.ts'
import { LOST, Lost } from './lost.ts'

const WORK: Readonly<Record<string, (element: HTMLElement) => Promise<void>>> = {
  'strategy-chart': exploreChart,
  'strategy-record': checkRecord,
}

for (const element of document.querySelectorAll<HTMLElement>('[data-pressed]')) {
  delete element.dataset.pressed
  const tell = (wrong: string | null) => element.dispatchEvent(new CustomEvent('pressed', { detail: wrong }))
  WORK[element.localName]?.(element).then(
    () => tell(null),
    (error: unknown) => tell(error instanceof Lost ? error.message : LOST),
  )
}
