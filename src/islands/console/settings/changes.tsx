import { getSettingFacts, type SettingKey } from '../../../contract/console/settingList.ts'
import {
  formatSetting,
  getSetting,
  type Settings,
  type SettingValue,
} from '../../../contract/console/settingValues.ts'
import { OutcomeNotice } from '../cases/Case.tsx'
import styles from './Settings.module.css'

export interface SettingChange {
  key: SettingKey
  before: string
  after: string
}

/** A proposed value of a setting, in the unit of the API. A list is described by its length, because the summary shows its sentences. */
export function describeChange(key: SettingKey, value: SettingValue, settings: Settings): SettingChange {
  const before = getSetting(settings, key) ?? null
  if (!Array.isArray(before) || !Array.isArray(value))
    return { key, before: formatSetting(key, before), after: formatSetting(key, value) }
  const isSameLength = before.length === value.length
  return {
    key,
    before: `${before.length} texts`,
    after: isSameLength ? 'changed words or order' : `${value.length} texts`,
  }
}

/** A setting with its old and new value. */
export function ChangeWords({ change: { key, before, after } }: { change: SettingChange }) {
  return (
    <dl className={styles.changes}>
      <dt>{getSettingFacts(key).label}</dt>
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
    </dl>
  )
}

export function ReasonList({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return <p className="soft">None</p>
  return (
    <ol className={styles.reasons}>
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ol>
  )
}

/** Says that a change was proposed. */
export function ChangeOutcome({ change, proposal }: { change: SettingChange; proposal: string }) {
  return (
    <OutcomeNotice
      tone="success"
      title="Proposed"
      text={
        <>
          <ChangeWords change={change} />
          <span>
            Nothing has changed yet. Another administrator decides:{' '}
            <a href={`/operator/proposals?open=${encodeURIComponent(proposal)}`}>the proposal</a>.
          </span>
        </>
      }
    />
  )
}
