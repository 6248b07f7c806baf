import { getSettingFacts, type SettingKey } from '../../../contract/console/settingList.ts'
import {
  formatSetting,
  getSetting,
  type Settings,
  type SettingValue,
} from '../../../contract/console/settingValues.ts'
import { OutcomeNotice } from '../cases/Case.tsx'
import styles from './Settings.module.css'

export interface Change {
  label: string
  before: string
  after: string
}

/** A proposed change of settings. */
export interface SettingsChange {
  changes: readonly Change[]
  proposal: string
}

/** New values of settings, in the units of the API. */
export type SettingChanges = ReadonlyMap<SettingKey, SettingValue>

export function describeChanges(changes: SettingChanges, settings: Settings): readonly Change[] {
  return [...changes].map(([key, value]) => ({
    label: getSettingFacts(key).label,
    ...describeChange(key, getSetting(settings, key) ?? null, value),
  }))
}

// Describes a list by its length only, because the summary shows its sentences.
function describeChange(key: SettingKey, before: SettingValue, after: SettingValue): Omit<Change, 'label'> {
  if (!Array.isArray(before) || !Array.isArray(after))
    return { before: formatSetting(key, before), after: formatSetting(key, after) }
  const isSameLength = before.length === after.length
  return {
    before: `${before.length} reasons`,
    after: isSameLength ? 'changed words or order' : `${after.length} reasons`,
  }
}

/** Describes a form's changes after they were proposed. */
export function buildSettingsChange(
  changes: SettingChanges,
  settings: Settings,
  proposal: string,
): SettingsChange {
  return { changes: describeChanges(changes, settings), proposal }
}

/** Lists settings with their old and new values. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  return (
    <dl className={styles.changes}>
      {changes.map(({ label, before, after }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <s className={styles.before}>
              <span className="visually-hidden">Before: </span>
              {before}
            </s>{' '}
            <span aria-hidden="true">→</span>{' '}
            <strong>
              <span className="visually-hidden">After: </span>
              {after}
            </strong>
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function ReasonList({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return <p className="soft">None: operators write each reason themselves.</p>
  return (
    <ol className={styles.reasons}>
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ol>
  )
}

/** Shows the proposed changes. */
export function ChangeOutcome({ done }: { done: SettingsChange }) {
  return (
    <OutcomeNotice
      tone="success"
      title="Proposed"
      text={
        <>
          <ChangeList changes={done.changes} />
          <span>
            Nothing has changed yet. Another administrator decides:{' '}
            <a href={`/operator/proposals?open=${encodeURIComponent(done.proposal)}`}>the proposal</a>.
          </span>
        </>
      }
    />
  )
}
