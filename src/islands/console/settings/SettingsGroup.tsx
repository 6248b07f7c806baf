import type { ReactNode } from 'react'
import { getSettingFacts, type SettingKey } from '../../../contract/console/settingList.ts'
import type { SettingHistory } from '../../../contract/console/settings.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import {
  formatDefault,
  formatSetting,
  getSetting,
  type SettingValue,
} from '../../../contract/console/settingValues.ts'
import { isolate } from '../../../contract/isolate.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { ReasonList } from './changes.tsx'
import styles from './Settings.module.css'

export interface SettingsGroupProps {
  /** The settings of the group to show. */
  keys: readonly SettingKey[]
  /** Undefined while they load. */
  settings: Settings | undefined
  history: readonly SettingHistory[] | undefined
  /** Undefined for operators who may not change settings. */
  onChange: ((key: SettingKey) => void) | undefined
  /** The result of a change, at its setting. */
  outcome: { key: SettingKey; node: ReactNode } | null
}

/** Settings of a group, each with the button that changes it. */
export function SettingsGroup({ keys, settings, history, onChange, outcome }: SettingsGroupProps) {
  return (
    <Panel>
      <dl className={styles.settings}>
        {keys.map((key) => (
          <Setting
            key={key}
            of={key}
            value={settings && (getSetting(settings, key) ?? null)}
            history={history?.find(({ setting }) => setting === key)}
            outcome={outcome?.key === key && outcome.node}
            onChange={onChange && settings && (() => onChange(key))}
          />
        ))}
      </dl>
    </Panel>
  )
}

interface SettingProps {
  of: SettingKey
  value: SettingValue | undefined
  history: SettingHistory | undefined
  outcome: ReactNode
  onChange: (() => void) | undefined
}

/** One setting: its value, meaning and default, its last change, and pending proposals. */
function Setting({ of, value, history, outcome, onChange }: SettingProps) {
  const { label, does, unit } = getSettingFacts(of)
  return (
    <div className={styles.setting}>
      <dt>{label}</dt>
      <dd className={unit === 'list' ? styles.list : styles.value}>
        {value === undefined ? <Skeleton width="short" /> : <Value of={of} value={value} />}
      </dd>
      <dd className={styles.does}>{does}</dd>
      <dd className={styles.since}>
        {value !== undefined && <Since of={of} value={value} steps={history?.steps} />}
      </dd>
      {(history?.pending ?? []).map(({ proposal, at, by, after }) => (
        <dd key={proposal} className={styles.pending}>
          <Notice
            actions={
              <a href={`/operator/proposals?open=${encodeURIComponent(proposal)}`}>See the proposal</a>
            }
          >
            <bdi>{by.name}</bdi> proposed <strong>{after}</strong>, <DateTime at={at} />.
          </Notice>
        </dd>
      ))}
      {outcome && <dd className={styles.pending}>{outcome}</dd>}
      {onChange && (
        <dd className={unit === 'list' ? undefined : styles.change}>
          <Button size="small" onClick={onChange}>
            Change<span className="visually-hidden"> {label.toLowerCase()}</span>
          </Button>
        </dd>
      )}
    </div>
  )
}

function Value({ of, value }: { of: SettingKey; value: SettingValue }) {
  if (typeof value !== 'object' || value === null) return <span>{formatSetting(of, value)}</span>
  return <ReasonList reasons={value} />
}

function Since(props: { of: SettingKey; value: SettingValue; steps: SettingHistory['steps'] | undefined }) {
  const { of, value, steps = [] } = props
  const isDefault = formatSetting(of, value) === formatDefault(of)
  const standard = isDefault ? 'The default' : `Default: ${formatDefault(of)}`
  // A list is too long to show its default.
  const words = getSettingFacts(of).unit === 'list' && !isDefault ? 'Not the default list' : standard
  const [first, last] = [steps[0], steps.at(-1)]
  if (last === undefined) return <span>{words}.</span>
  return (
    <span>
      {words}. Since <DateTime at={last.at} />
      <span>{`, ${steps.map(({ step, by }) => `${step} by ${isolate(by?.name ?? '')}`).join(', ')}.`}</span>
      {first?.note && (
        <span>
          {' '}
          Why: <bdi>{first.note}</bdi>
        </span>
      )}
    </span>
  )
}
