import { type SettingKey, settingFacts } from '../../../contract/console/settingList.ts'
import type { SettingStanding } from '../../../contract/console/settings.ts'
import { defaultText, type SettingValue, settingText } from '../../../contract/console/settingValues.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Reasons } from './Reasons.tsx'
import styles from './Settings.module.css'

export interface SettingProps {
  of: SettingKey
  value: SettingValue | undefined
  standing: SettingStanding | undefined
  /** Where it is changed alone. */
  onChange: (() => void) | undefined
}

/** One setting: its value, what it does, its default, who changed it last, and what is proposed. */
export function Setting({ of, value, standing, onChange }: SettingProps) {
  const { label, does, unit } = settingFacts(of)
  return (
    <div className={styles.setting}>
      <dt>{label}</dt>
      <dd className={unit === 'list' ? styles.list : styles.value}>
        {value === undefined ? <Skeleton width="short" /> : <Value of={of} value={value} />}
      </dd>
      <dd className={styles.does}>{does}</dd>
      <dd className={styles.since}>
        {value !== undefined && <Since of={of} value={value} last={standing?.last} />}
      </dd>
      {(standing?.pending ?? []).map(({ proposal, at, by, after }) => (
        <dd key={proposal} className={styles.pending}>
          <Notice
            actions={
              <a href={`/operator/proposals?open=${encodeURIComponent(proposal)}`}>See the proposal</a>
            }
          >
            {by.name} proposed <strong>{after}</strong>, <DateTime at={at} />.
          </Notice>
        </dd>
      ))}
      {onChange && (
        <dd>
          <Button size="small" onClick={onChange}>
            Change<span className="visually-hidden"> the reasons for {label.toLowerCase()}</span>
          </Button>
        </dd>
      )}
    </div>
  )
}

function Value({ of, value }: { of: SettingKey; value: SettingValue }) {
  if (typeof value !== 'object' || value === null) return settingText(of, value)
  return <Reasons reasons={value} />
}

function Since({
  of,
  value,
  last,
}: Pick<SettingProps, 'of'> & {
  value: SettingValue
  last: SettingStanding['last'] | undefined
}) {
  const isDefault = settingText(of, value) === defaultText(of)
  const standard = isDefault ? 'The default' : `Default: ${defaultText(of)}`
  // Under its own name a list is too long to be said twice.
  const words = settingFacts(of).unit === 'list' && !isDefault ? 'Not the default list' : standard
  if (!last) return `${words}.`
  return (
    <>
      {words}. Since <DateTime at={last.at} />
      {last.proposedBy === null
        ? `, by ${last.by.name}.`
        : `, proposed by ${last.proposedBy.name}, approved by ${last.by.name}.`}
    </>
  )
}
