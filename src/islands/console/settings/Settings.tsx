import { useState } from 'react'
import {
  getSettingFacts,
  SETTING_GROUPS,
  SETTING_KEYS,
  type SettingGroup,
  type SettingKey,
} from '../../../contract/console/settingList.ts'
import { listSettingHistory } from '../../../contract/console/settings.ts'
import { TextField } from '../../../design/Field.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { LoadFailure } from '../../../design/Notice.tsx'
import { call } from '../../lib/api.ts'
import { getData, useResource } from '../../lib/resource.ts'
import { NeedsRole, OperatorScreen } from '../cases/OperatorScreen.tsx'
import { useOperator } from '../cases/useOperator.ts'
import { useSettings } from '../cases/useSettings.ts'
import { ChangeReasons } from './ChangeReasons.tsx'
import { ChangeSetting } from './ChangeSetting.tsx'
import { ChangeOutcome, type SettingChange } from './changes.tsx'
import styles from './Settings.module.css'
import { SettingsGroup, type SettingsGroupProps } from './SettingsGroup.tsx'

/** /operator/settings: the values, their history, and changing them. */
export function Settings() {
  return (
    <OperatorScreen
      waiting={<View isOpen settings={undefined} history={undefined} onChange={undefined} outcome={null} />}
    >
      {LoadedSettings}
    </OperatorScreen>
  )
}

function LoadedSettings() {
  const { can } = useOperator()
  const settings = useSettings()
  const history = useResource('setting history', () => call(listSettingHistory))
  // On a phone all groups together are 40 screens long.
  const [isWide] = useState(() => matchMedia('(min-width: 48rem)').matches)
  const [changing, change] = useState<SettingKey | null>(null)
  const [done, setDone] = useState<{ change: SettingChange; proposal: string } | null>(null)
  if (settings.state === 'failed') return <LoadFailure msg={settings.msg} onRetry={settings.reload} />
  const values = getData(settings)
  const close = () => change(null)
  const handleDone = (change: SettingChange, proposal: string) => {
    setDone({ change, proposal })
    close()
    settings.reload()
    history.reload()
  }
  const Change = changing && getSettingFacts(changing).unit === 'list' ? ChangeReasons : ChangeSetting
  return (
    <>
      <NeedsRole scope="operator:settings.write" />
      {history.state === 'failed' && <LoadFailure msg={history.msg} onRetry={history.reload} />}
      <View
        isOpen={isWide}
        settings={values}
        history={getData(history)}
        onChange={can('operator:settings.write') ? change : undefined}
        outcome={done && { key: done.change.key, node: <ChangeOutcome key={done.proposal} {...done} /> }}
      />
      <Modal
        open={changing !== null}
        onClose={close}
        title={changing === null ? 'Change' : `Change: ${getSettingFacts(changing).label.toLowerCase()}`}
        size="large"
      >
        {changing && values && (
          <Change of={changing} settings={values} onDone={handleDone} onCancel={close} />
        )}
      </Modal>
    </>
  )
}

interface ViewProps extends Omit<SettingsGroupProps, 'keys'> {
  /** Whether all groups are open. Otherwise only the one that the address names, and those with search results. */
  isOpen: boolean
}

function View({ isOpen, ...props }: ViewProps) {
  const [query, setQuery] = useState('')
  const found = SETTING_KEYS.filter((key) => isFound(key, query))
  const groups = SETTING_GROUPS.map((group) => ({
    group,
    keys: found.filter((key) => getSettingFacts(key).group === group),
  })).filter(({ keys }) => keys.length > 0)
  return (
    <div className="stack">
      <search className={styles.search}>
        <TextField
          label="Find a setting"
          type="search"
          autoComplete="off"
          maxLength={60}
          disabled={props.settings === undefined}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
        <p role="status" className="soft small">
          {query.trim() === '' ? '' : `${found.length} of ${SETTING_KEYS.length} settings`}
        </p>
      </search>
      <p className="soft small">
        A change takes two administrators: you propose it and another one approves it.
      </p>
      <nav aria-label="Groups of settings">
        <ul className={styles.groups}>
          {groups.map(({ group }) => (
            <li key={group}>
              <a href={`#${toAnchor(group)}`}>{group}</a>
            </li>
          ))}
        </ul>
      </nav>
      {groups.map(({ group, keys }) => (
        <details
          key={group}
          id={toAnchor(group)}
          className={styles.group}
          open={isOpen || query.trim() !== '' || location.hash === `#${toAnchor(group)}`}
          data-waiting={props.settings === undefined || undefined}
        >
          <summary>
            <h2>{group}</h2> <span className="soft">{keys.length}</span>
          </summary>
          <SettingsGroup {...props} keys={keys} />
        </details>
      ))}
    </div>
  )
}

/** Whether a setting's label, description or group has each word of the query. */
function isFound(key: SettingKey, query: string): boolean {
  const { label, does, group } = getSettingFacts(key)
  const text = `${label} ${does} ${group}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function toAnchor(group: SettingGroup): string {
  return group.toLowerCase().replaceAll(' ', '-')
}
