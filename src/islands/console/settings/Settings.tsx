import { useState } from 'react'
import {
  getSettingFacts,
  SETTING_GROUPS,
  type SettingGroup,
  type SettingKey,
} from '../../../contract/console/settingList.ts'
import { listSettingHistory, type SettingHistory } from '../../../contract/console/settings.ts'
import type { Settings as Values } from '../../../contract/console/settingValues.ts'
import { Modal } from '../../../design/Modal.tsx'
import { LoadFailure } from '../../../design/Notice.tsx'
import { call } from '../../lib/api.ts'
import { getData, useResource } from '../../lib/resource.ts'
import { NeedsRole, OperatorScreen } from '../cases/OperatorScreen.tsx'
import { useOperator } from '../cases/useOperator.ts'
import { useSettings } from '../cases/useSettings.ts'
import { ChangeGroup } from './ChangeGroup.tsx'
import { ChangeReasons } from './ChangeReasons.tsx'
import { ChangeOutcome, type SettingsChange } from './changes.tsx'
import styles from './Settings.module.css'
import { SettingsGroup } from './SettingsGroup.tsx'

/** /operator/settings: the values, their history, and changing them. */
export function Settings() {
  return (
    <OperatorScreen waiting={<View settings={undefined} history={undefined} />}>
      {LoadedSettings}
    </OperatorScreen>
  )
}

function LoadedSettings() {
  const { can } = useOperator()
  const settings = useSettings()
  const history = useResource('setting history', () => call(listSettingHistory))
  const [changing, change] = useState<readonly SettingKey[]>([])
  const [done, setDone] = useState<{ group: SettingGroup; what: SettingsChange; count: number } | null>(null)
  if (settings.state === 'failed') return <LoadFailure msg={settings.msg} onRetry={settings.reload} />
  const values = getData(settings)
  const reload = () => {
    settings.reload()
    history.reload()
  }
  const [first] = changing
  const close = () => change([])
  const handleDone = (what: SettingsChange) => {
    if (first !== undefined) {
      const { group } = getSettingFacts(first)
      setDone((before) => ({ group, what, count: (before?.count ?? 0) + 1 }))
    }
    close()
    reload()
  }
  return (
    <>
      <NeedsRole scope="operator:settings.write" />
      {history.state === 'failed' && <LoadFailure msg={history.msg} onRetry={history.reload} />}
      <View
        settings={values}
        history={getData(history)}
        onChange={can('operator:settings.write') ? change : undefined}
        outcome={
          done && {
            group: done.group,
            node: <ChangeOutcome key={done.count} done={done.what} />,
          }
        }
      />
      <Modal open={first !== undefined} onClose={close} title={formatDialogTitle(first)} size="large">
        {first !== undefined && values && getSettingFacts(first).unit === 'list' ? (
          <ChangeReasons of={first} settings={values} onDone={handleDone} onCancel={close} />
        ) : (
          values && <ChangeGroup keys={changing} settings={values} onDone={handleDone} onCancel={close} />
        )}
      </Modal>
    </>
  )
}

function formatDialogTitle(key: SettingKey | undefined): string {
  if (key === undefined) return 'Change settings'
  const { unit, label, group } = getSettingFacts(key)
  return unit === 'list' ? `Reasons: ${label.toLowerCase()}` : `Change: ${group.toLowerCase()}`
}

interface ViewProps {
  settings: Values | undefined
  history: readonly SettingHistory[] | undefined
  onChange?: ((keys: readonly SettingKey[]) => void) | undefined
  outcome?: { group: SettingGroup; node: React.ReactNode } | null
}

function View({ settings, history, onChange, outcome }: ViewProps) {
  return (
    <div className="stack">
      <nav aria-label="Groups of settings">
        <ul className={styles.groups}>
          {SETTING_GROUPS.map((group) => (
            <li key={group}>
              <a href={`#${toAnchor(group)}`}>{group}</a>
            </li>
          ))}
        </ul>
      </nav>
      {SETTING_GROUPS.map((group) => (
        <div key={group} id={toAnchor(group)} className={styles.group}>
          <SettingsGroup
            group={group}
            settings={settings}
            history={history}
            onChange={onChange}
            outcome={outcome?.group === group && outcome.node}
          />
        </div>
      ))}
    </div>
  )
}

function toAnchor(group: SettingGroup): string {
  return group.toLowerCase().replaceAll(' ', '-')
}
