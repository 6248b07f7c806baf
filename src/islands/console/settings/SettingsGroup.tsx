import type { ReactNode } from 'react'
import {
  SETTING_KEYS,
  type SettingGroup,
  type SettingKey,
  settingFacts,
} from '../../../contract/console/settingList.ts'
import type { SettingStanding } from '../../../contract/console/settings.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { settingAt } from '../../../contract/console/settingValues.ts'
import { Button } from '../../../design/Button.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Setting } from './Setting.tsx'
import styles from './Settings.module.css'

export interface SettingsGroupProps {
  group: SettingGroup
  /** Undefined while they load. */
  settings: Settings | undefined
  history: readonly SettingStanding[] | undefined
  /** Undefined for whom it is not open. */
  onChange: ((keys: readonly SettingKey[]) => void) | undefined
  /** What was just done in this group. */
  said?: ReactNode
}

/** One group of settings: what holds, since when, what is proposed; and the way to change it. */
export function SettingsGroup({ group, settings, history, onChange, said }: SettingsGroupProps) {
  const keys = keysOf(group)
  const isList = keys.some((key) => settingFacts(key).unit === 'list')
  return (
    <Panel
      title={group}
      actions={
        onChange &&
        settings &&
        !isList && (
          <Button size="small" onClick={() => onChange(keys)}>
            Change<span className="visually-hidden"> {group.toLowerCase()}</span>
          </Button>
        )
      }
    >
      <p className="soft small">
        {settingFacts(keys[0] ?? 'kycRequired').change === 'open'
          ? 'One administrator changes it, at once.'
          : 'Takes two administrators: a change becomes a proposal, and another one decides.'}
      </p>
      {said}
      <dl className={styles.settings}>
        {keys.map((key) => (
          <Setting
            key={key}
            of={key}
            value={settings && (settingAt(settings, key) ?? null)}
            standing={history?.find(({ setting }) => setting === key)}
            onChange={isList && onChange && settings ? () => onChange([key]) : undefined}
          />
        ))}
      </dl>
    </Panel>
  )
}

export function keysOf(group: SettingGroup): readonly SettingKey[] {
  return SETTING_KEYS.filter((key) => settingFacts(key).group === group)
}
