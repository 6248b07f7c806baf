import type { OverfitLevel } from '../../../engine/backtest/backtestResult.ts'
import { LEVEL_WORDS } from '../../../engine/backtest/overfitWords.ts'
import styles from './EvidenceMark.module.css'

/** Each level's strength, weakest first. */
const STRENGTHS: Readonly<Record<OverfitLevel, string>> = {
  luck: 'Weak',
  uncertain: 'Unclear',
  'held-up': 'Held up so far',
}

const LEVELS = Object.keys(STRENGTHS) as OverfitLevel[]

/** How strong the evidence for a tested rule is, in three steps. Opens its meaning, which `EvidenceMeanings` holds once on the page. */
export function EvidenceMark({ level }: { level: OverfitLevel }) {
  const step = LEVELS.indexOf(level) + 1
  return (
    <button className={styles.mark} type="button" popoverTarget={getMeaningId(level)} data-step={step}>
      <i />
      <i />
      <i />
      <span className="visually-hidden">Evidence: </span>
      <span>{STRENGTHS[level]}</span>
    </button>
  )
}

/** The meanings that the marks of a page open. `checksHref` links to the checks, if the page shows them. */
export function EvidenceMeanings({ checksHref }: { checksHref?: string }) {
  return LEVELS.map((level) => (
    <div key={level} className={styles.meaning} id={getMeaningId(level)} popover="auto">
      <p>
        <strong>{LEVEL_WORDS[level].label}.</strong> <span>{LEVEL_WORDS[level].means}</span>
      </p>
      {checksHref && (
        <p>
          <a href={checksHref}>See each check</a>
        </p>
      )}
    </div>
  ))
}

function getMeaningId(level: OverfitLevel): string {
  return `evidence-${level}`
}
